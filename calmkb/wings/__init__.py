"""The wings: what the loop can do without, each with its commands, verbs, crafts and tools.

Read `kb.base.points` first, where they take part. The kernel imports no wing, and no wing
imports another.
"""
