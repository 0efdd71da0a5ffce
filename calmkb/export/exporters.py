"""The exporters by name: one module and one line each."""

from calmkb.errors import ExportError
from calmkb.export import agents_md, claude_md
from calmkb.export.base import Exporter

EXPORTERS: dict[str, Exporter] = {
    "agents-md": agents_md.EXPORTER,
    "claude-md": claude_md.EXPORTER,
}


def find_exporter(name: str) -> Exporter:
    """Return the exporter called `name`; raise ExportError naming those there are."""
    if name not in EXPORTERS:
        raise ExportError(f"{name!r} is not an exporter; choose from: {', '.join(EXPORTERS)}")
    return EXPORTERS[name]
