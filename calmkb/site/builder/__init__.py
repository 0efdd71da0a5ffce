"""The site built by MkDocs or Zensical, only what changed.

Read `build` first, then `staging` (which pages there are) and `output` (what is written).
"""
