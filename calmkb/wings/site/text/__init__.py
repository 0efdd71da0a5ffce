"""Record text made fit for a page: Markdown in a normal form, sanitized HTML, checked links.

Read `sanitize` first; `shell` says what a finished page may hold.
"""
