"""Records rendered as Markdown pages for MkDocs."""
