"""The MCP face: tools, resources and prompts over the verbs of a knowledge base."""
