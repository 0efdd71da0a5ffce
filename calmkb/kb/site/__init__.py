"""What the site shows, and its cache.

Read `pages` first.
"""
