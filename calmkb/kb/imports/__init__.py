"""The history that agents left, as entries: each session once, and only what belongs here.

Read `history_import` first; `session_projects` says whose a session is, `session_reader` reads it.
"""
