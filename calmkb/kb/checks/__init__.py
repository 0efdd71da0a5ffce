"""Verbs that look and report: `check`, `doctor`, `redact`, `stats`.

Read `check` first; the records are its subject, the machine is that of `doctor`.
"""
