"""Commands for clients and their settings: hooks, signals, MCP, plugin, status line.

One module a command; `hook` and `statusline` are what a client runs itself.
"""
