"""calmkb: what coding-agent sessions teach, kept as reviewed Markdown in git."""

__version__ = "0.1.0"
