"""Claude Code's transcripts.

Read `format` first; `turns` joins blocks into turns and `speakers` tells people from the client.
"""
