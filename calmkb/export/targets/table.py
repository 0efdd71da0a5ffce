"""The exporters by name: one module and one line each."""

from calmkb.errors import ExportError
from calmkb.export.base import Exporter
from calmkb.export.targets import (
    agents_md,
    claude_md,
    claude_rules,
    copilot,
    cursor,
    gemini,
    json_file,
    markdown,
    skill,
)

EXPORTERS: dict[str, Exporter] = {
    "claude-md": claude_md.EXPORTER,
    "claude-rules": claude_rules.EXPORTER,
    "agents-md": agents_md.EXPORTER,
    "cursor": cursor.EXPORTER,
    "copilot": copilot.EXPORTER,
    "gemini": gemini.EXPORTER,
    "skill": skill.EXPORTER,
    "json": json_file.EXPORTER,
    "markdown": markdown.EXPORTER,
}


def find_exporter(name: str) -> Exporter:
    """Return the exporter called `name`; raise ExportError naming those there are."""
    if name not in EXPORTERS:
        raise ExportError(f"{name!r} is not an exporter; choose from: {', '.join(EXPORTERS)}")
    return EXPORTERS[name]
