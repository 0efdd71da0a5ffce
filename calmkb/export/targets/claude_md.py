"""Claude Code's memory file: the digest, and where each line comes from."""

from calmkb.export.base import Exporter, Reader
from calmkb.export.digest import block_of

FILE = "CLAUDE.md"
READER = Reader(
    files=(FILE, ".claude/CLAUDE.md", "CLAUDE.local.md"),
    home=".claude/CLAUDE.md",
    rules=".claude/rules/*.md",
    imports=True,
)
RENDER = block_of(FILE, ids=True)
EXPORTER = Exporter(name="claude-md", file=FILE, reader=READER, render=RENDER, order=1)
