"""The files that agents read, one module each.

Read `claude_md` first; `table` lists all targets. A target is one module and one line there.
"""
