"""The command line: one command a file; parse, one call, print."""
