"""`calmkb memory` and its subcommands.

Read `memory` first: it lists the subcommands.
"""
