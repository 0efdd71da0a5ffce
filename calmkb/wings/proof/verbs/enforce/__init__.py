"""Approved memories enforced: tried on the project's history, switched on by a person, then asked.

Read `switch` first (on, off, what is on here), then `trial` (what a check would have stopped) and
`before_tool` (what a client asks before its agent acts); `changed_files` is for commits and CI.
"""
