"""What pages show: the catalogue of records, friction, people, addresses.

Read `catalogue` first.
"""
