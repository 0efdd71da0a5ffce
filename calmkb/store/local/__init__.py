"""State of this machine that is not in git: files below the state folder, checked when read.

Read `state_files` first (`save`, `record_of`); the others name the files: approvals, choices,
notices, reviews, sessions, logs, spending.
"""
