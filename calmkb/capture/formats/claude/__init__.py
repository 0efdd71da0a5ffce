"""Parts of Claude Code's format (`claude_code`).

Read `turns` first: it joins blocks into turns; `speakers` tells people from the client.
"""
