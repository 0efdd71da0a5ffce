"""Sessions: written, listed, read, continued.

Read `wrapup` first (it writes an entry), then `sessions` (it reads all).
"""
