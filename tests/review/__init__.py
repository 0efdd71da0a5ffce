"""The review at the terminal, of proposals, signals and memories."""
