"""Git: the one way to run it, and what is read from a repository.

Read `repository` first.
"""
