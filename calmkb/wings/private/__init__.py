"""The private journal: an agent's own, interchangeable on disk with `private-journal-mcp`.

Read `entries` first; `kb.private` writes and searches them.
"""
