"""Edits of other programs' settings files that leave all other bytes as they were.

Read `patch` first (hooks in and out); `client_config` registers the MCP server.
"""
