"""`reflect`: proposals from what is not yet reflected on, and the decisions on them.

Read `reflection` first: `pending` proposes, `apply` records the decisions.
"""
