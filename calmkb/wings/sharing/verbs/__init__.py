"""The team: sync with the remote, and review by pull request.

Read `sync` first, then `pull_requests` and `outcomes`.
"""
