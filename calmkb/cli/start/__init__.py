"""`calmkb start`: look first, then choose.

Read `start` first: the look. `steps` are the questions that follow it.
"""
