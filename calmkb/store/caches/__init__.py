"""What is kept beside the index to save work; all of it can be deleted.

Each module is one cache.
"""
