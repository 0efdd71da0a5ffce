"""Memories: proposed, added, listed, edited, reviewed, retired.

Read `memories` first; `approval` says who approved one.
"""
