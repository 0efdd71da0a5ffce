"""What people wrote by hand for agents and newcomers, and what repeats or contradicts it.

Read `handwritten` first (`handwritten_matches`, `instructions_of`); `files` finds what is read.
"""
