"""Texts as vectors, their neighbours and clusters.

Read `base` (what a method offers) and `tfidf` first, then `clusters`.
"""
