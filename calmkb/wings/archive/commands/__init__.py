"""The commands `keep` and `why`, and the step of `start` that offers the copy.

Read `keep` first.
"""
