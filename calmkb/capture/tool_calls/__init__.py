"""Tool calls of a session: joined with their answers, and what failed.

Read `attempts` first; `failures` picks what failed and `error_line` the line that says why.
"""
