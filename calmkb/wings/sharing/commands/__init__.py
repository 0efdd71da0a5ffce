"""`sync` and `reflect --pr`.

Read `sync` first.
"""
