"""What pages show: the catalogue of records, friction, addresses.

Read `catalogue` first.
"""
