"""calmkb: what coding-agent sessions teach, kept as reviewed Markdown in git.

Read `kb` first: its packages hold the verbs that every face calls.
"""

__version__ = "0.1.0"
