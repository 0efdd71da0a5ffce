"""Staged pages as HTML in the theme's page template.

Read `render` first; `workers` runs it in other processes.
"""
