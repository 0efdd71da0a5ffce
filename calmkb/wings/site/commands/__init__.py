"""`site`, and the week as text.

Read `site` first.
"""
