"""Gemini CLI's memory file."""

from calmkb.export.base import Exporter, Reader
from calmkb.export.digest import block_of

FILE = "GEMINI.md"
READER = Reader(files=(FILE,), home=".gemini/GEMINI.md", imports=True)
EXPORTER = Exporter(name="gemini", file=FILE, reader=READER, render=block_of(FILE), order=6)
