"""Similar but opposite: what similarity cannot see and must never merge.

Read `compare` first.
"""
