"""The MCP server: tools, resources and prompts over the verbs of a knowledge base.

Read `server` first. A tool is a function and one line of `TOOLS` in its module; `tools` says how
every one is called.
"""
