"""Parts of Claude Code's format, which `capture.formats.claude_code` reads.

Read `turns` first: it joins blocks into turns; `speakers` tells people from the client.
"""
