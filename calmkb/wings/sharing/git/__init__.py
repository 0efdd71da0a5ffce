"""Sync with the remote, and proposals on branches of the shared repository.

Read `sync` first, then `rebase`.
"""
