"""Staged pages as HTML in the theme's page.

Read `markdown` first; `staged_page` is the page as MkDocs sees it, `theme` what it is checked with.
"""
