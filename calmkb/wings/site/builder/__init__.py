"""The site built by MkDocs, only what changed.

Read `build` first, then `page_build` (the staged pages in one build) and `output` (the folder).
"""
