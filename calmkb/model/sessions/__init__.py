"""A session: its entry, as people and agents wrote it, and its turns, as the archive keeps them.

Read `entries` first (`Entry`, `SessionContent`); `archive` has `KeptSession` and `KeptTurn`.
"""
