"""Other faces on the same verbs: the MCP server and the MkDocs plugin.

Read `mcp_server.server` and `mkdocs_plugin` first. The site's builder is `site.builder`, the
server of runs `runs.http`.
"""
