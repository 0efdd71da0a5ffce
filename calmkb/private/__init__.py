"""The private journal: an agent's own, interchangeable on disk with `private-journal-mcp`."""
