"""The wings, each by itself."""
