"""Commands for clients and their settings, a module each: hooks, signals, MCP, plugin.

Read `hooks` first; `hook` and `statusline` are what a client runs itself.
"""
