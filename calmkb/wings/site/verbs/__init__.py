"""The site of a knowledge base: what it shows, and how it is built.

Read `pages` first (the records it shows), then `building` (build, stage, check, serve).
"""
