"""Records rendered as pages, and the site built from them.

Read `pages.table` first (which pages there are), then `staging.stage` (records in, Markdown out)
and `builder.build` (Markdown in, a site out). `text` sanitizes whatever comes from records.
"""
