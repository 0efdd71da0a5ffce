"""Foreign session formats, read into turns, drafts and signals.

Read `formats` first (a file becomes turns), then `draft` (turns become a wrap-up) and `mining`
(turns become signals). `hooks` is what a client runs, and `settings` the
edits that make it do so.
"""
