"""Taking calmkb out of a repository again; the records stay.

Read `uninit` first.
"""
