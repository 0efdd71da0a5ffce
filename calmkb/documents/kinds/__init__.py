"""One module for each kind of record: its fields and sections.

Read `memories` as an example; the table of kinds is in `documents.codec`.
"""
