"""`export`: approved memories into the files that agents read.

Read `export` first; `plan` decides what would change and `choice` which memories go where.
"""
