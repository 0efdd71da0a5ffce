"""Memories held against the code."""
