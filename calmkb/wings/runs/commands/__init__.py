"""Commands that run agents and serve the run journal.

Read `run` first.
"""
