"""Other faces on the same verbs: MkDocs, MCP, HTTP."""
