"""A wrap-up drafted from a transcript without a model.

Read `draft` first: it calls `summary`, `quotes` and `next_steps` and puts the parts together.
"""
