"""The signal store: one JSON object a line, safe from other writers and kills.

Read `store` first.
"""
