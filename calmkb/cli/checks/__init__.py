"""Commands that look and report, a module each: check, doctor, redact, stats, verify.

Read `check` first; `options` has what those that report findings share.
"""
