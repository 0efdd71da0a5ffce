"""Verbs that look and report: the records are checked, the machine is diagnosed, all is counted.

Read `check` first; then `doctor` (`diagnose`), `statistics`.
"""
