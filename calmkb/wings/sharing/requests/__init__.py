"""The text of a pull request with proposals, and what a review of it decided.

Read `request` first.
"""
