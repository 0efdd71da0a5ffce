"""Texts as vectors, their neighbours and clusters.

Read `methods` and `vectors` first, then `clusters`.
"""
