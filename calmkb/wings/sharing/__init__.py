"""A journal shared with a team: sync, and proposals as pull requests.

Read `verbs.sync` first; `git` is what it does to the repository.
"""
