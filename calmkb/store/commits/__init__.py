"""Commits made beside the user's own git, safe from kills and other writers.

Read `commit` first, then `group_commit` (the holder of the lock imports what waits in `spool`).
"""
