"""The pages: which there are, what each is given, and their Markdown.

Read `table` first (the list of pages), then `stage` (records in, pages out).
"""
