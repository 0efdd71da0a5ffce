"""Commands on the journal: wrap up, list, search, show, import, sync.

One module a command. Read `wrapup` first.
"""
