"""Foreign session formats, read into turns, drafts and signals."""
