"""What pages show: the catalogue of records, friction, people, feeds, addresses.

Read `catalogue` first.
"""
