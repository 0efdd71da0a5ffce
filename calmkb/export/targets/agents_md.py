"""The file that Codex, Cursor and many others read."""

from calmkb.export.base import Exporter, Reader
from calmkb.export.digest import block_of

FILE = "AGENTS.md"
READER = Reader(files=(FILE,), home=".codex/AGENTS.md")
EXPORTER = Exporter(name="agents-md", file=FILE, reader=READER, render=block_of(FILE), order=3)
