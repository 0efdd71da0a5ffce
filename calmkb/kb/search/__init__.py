"""Search by words and by meaning, and the similarity methods that a knowledge base uses.

Read `search` first.
"""
