"""The index of every turn that the archive keeps: words, people, tools, files, errors.

Read `schema` first, then `filling` (how a session comes in) and `search`. It holds no text: what is
found is read from the archive. Deleted, it is built again.
"""
