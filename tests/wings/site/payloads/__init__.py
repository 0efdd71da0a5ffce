"""Lists of hostile text that others keep, and the sample knowledge base with all of it in it."""
