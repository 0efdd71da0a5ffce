"""Pictures of a knowledge base: numbers in, inline SVG with its numbers beside it out.

Read `frame` first (`draw`), then one picture, such as `activity`.
"""
