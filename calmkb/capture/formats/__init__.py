"""Transcript formats of agents, all read into the same turns.

Read `turns` (the result) and `base` (what a format offers) first; `table` lists the formats.
A format is one module with a `FORMAT`; `table` collects them.
"""
