"""The command line: one command a file; parse, one call, print.

Read `root` first (the table of commands), then `journal.wrapup` as an example. `base.common` turns
errors into messages and exit codes.
"""
