"""Claude Code's memory file."""

from calmkb.export.base import Exporter
from calmkb.export.digest import digest

EXPORTER = Exporter(file="CLAUDE.md", render=digest)
