"""What is kept beside the index to save work, a module each; all of it can be deleted.

Read `vectors` first; `themes`, `drafts` and `clean_files` are the others.
"""
