"""The file that Codex, Cursor and many others read."""

from calmkb.export.base import Exporter
from calmkb.export.digest import digest

EXPORTER = Exporter(file="AGENTS.md", render=digest)
