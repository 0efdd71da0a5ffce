"""`calmkb start` at the terminal.

Read `start` first: the look. `steps` are the questions that follow it.
"""
