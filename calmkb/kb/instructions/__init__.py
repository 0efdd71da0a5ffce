"""What people wrote by hand for agents and newcomers, and what repeats or contradicts it.

Read `handwritten` first; `files` finds what is read, `project` says which of it is this project's.
"""
