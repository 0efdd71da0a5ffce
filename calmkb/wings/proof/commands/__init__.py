"""The commands `verify`, `enforce`, `recall` and `memory enforce`.

Read `verify` first.
"""
