"""Evidence and rejections as bullet items that people read and programs read back."""

import re

from calmkb.model import Evidence, Rejection

_EVIDENCE = re.compile(
    r'(\d{4}-\d\d-\d\d), ((?:[^\\(\n]|\\.)*) \(([0-9A-Za-z-]+)\): "(.*)"\Z', re.DOTALL
)
_REJECTION = re.compile(r"(.*)\nEvidence: ([0-9a-f]{16})(?:\nReason: ([^\n]*))?\Z", re.DOTALL)
_SHORTEST = 8


def render_evidence(item: Evidence, sources: tuple[str, ...]) -> str:
    """Return `2026-10-19, storefront (5f0c6a0e): "quote"`, the id as short as it stays unique."""
    if not (item.source and item.date):
        return item.quote
    project = re.sub(r"[\\(]", r"\\\g<0>", item.project)
    return f'{item.date}, {project} ({_shorten(item.source, sources)}): "{item.quote}"'


def parse_evidence(text: str, sources: tuple[str, ...]) -> Evidence:
    """Return the evidence in `text`; what a person wrote in a form of their own is a bare quote."""
    found = _EVIDENCE.match(text)
    if not found:
        return Evidence(quote=text)
    date, project, short, quote = found.groups()
    source = next((source for source in sources if source.startswith(short)), short)
    project = re.sub(r"\\(.)", r"\1", project)
    return Evidence(quote=quote, source=source, date=date, project=project)


def render_rejection(item: Rejection) -> str:
    """Return the text with its evidence hash, and the reason if there is one, on lines below."""
    lines = [item.text, f"Evidence: {item.evidence}"]
    return "\n".join([*lines, f"Reason: {item.reason}"] if item.reason else lines)


def parse_rejection(text: str) -> Rejection:
    """Return the rejection in `text`; without a hash it never matches, and is kept."""
    found = _REJECTION.match(text)
    if not found:
        return Rejection(text=text, evidence="")
    return Rejection(text=found[1], evidence=found[2], reason=found[3] or "")


def _shorten(source: str, sources: tuple[str, ...]) -> str:
    for length in range(_SHORTEST, len(source)):
        first = next((other for other in sources if other.startswith(source[:length])), source)
        if first == source:
            return source[:length]
    return source
