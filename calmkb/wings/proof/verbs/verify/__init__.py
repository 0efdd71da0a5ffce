"""Whether what texts say of a repository still holds: instruction files and approved memories.

Read `audit` first; it needs no knowledge base.
"""
