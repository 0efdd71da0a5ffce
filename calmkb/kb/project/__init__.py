"""A knowledge base made in a project, and how calmkb was installed.

Read `init` first.
"""
