"""Commands for clients and their settings, a module each: hooks, signals, MCP, plugin.

Read `agents` first, their one status; `hook` is what a client runs itself.
"""
