"""Which memories are enforced on this machine, and what their checks stopped.

Read `enforced` first (`EnforcedMemory`), then `fired_checks` (`FiredCheck`).
"""
