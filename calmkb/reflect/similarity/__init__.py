"""Texts as vectors, their neighbours and clusters.

Read `methods` first, then `clusters`; `ranked` does without scikit-learn.
"""
