"""Staged pages as HTML in the theme's page.

Read `page_template` first; `theme` makes the templates, `workers` fills them in other processes.
"""
