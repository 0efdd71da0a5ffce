"""What sessions said, a sentence at a time: how it is read and worded, and what holds it back.

Read `statements` first (`Statement`, `statements_of`), then `wording`; `mined` says what a
transcript's sentence must prove (`why_held`).
"""
