"""Memories rendered for the files that agents read."""
