"""Sessions: written, listed, read, continued, imported.

Read `wrapup` first (it writes an entry), then `sessions` (it reads all).
"""
