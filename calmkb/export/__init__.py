"""Memories rendered for the files that agents read.

Read `choice` first (which memories fit into a budget), then `digest` and `block` (their text,
and its place in a person's file). `targets` has one module a file format.
"""
