"""Sessions kept on this machine after the client has deleted its transcripts.

Read `archive` first, then `session_file` (how one is written) and `turn_lines` (what a turn is).
"""
