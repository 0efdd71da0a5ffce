"""The files that agents read, one module each.

Read `claude_md` first. A target is one module with an `EXPORTER`; `table` collects them.
"""
