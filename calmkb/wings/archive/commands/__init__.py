"""The commands `keep` and `why`, and the step of the first walk that offers the copy.

Read `keep` first.
"""
