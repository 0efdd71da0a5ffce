"""The index: lists, filters and search without reading every record.

Read `index` first, then `refresh` (what brings it up to date) and `schema`.
"""
