"""What is kept beside the index to save work, a module each; all of it can be deleted.

Read `derived` first, the results of comparing texts; `vectors`, `drafts` and `clean_files` are the
others.
"""
