"""Commands that look and report: `check`, `doctor`, `redact`, `stats`.

One module a command.
"""
