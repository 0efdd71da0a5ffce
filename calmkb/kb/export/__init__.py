"""`export`: approved memories into the files that agents read.

Read `export` first; `plan` decides which files would change, `digests` which memories they hold.
"""
