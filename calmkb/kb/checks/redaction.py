"""`redact`: what the filter makes of a text, shown before anything is kept."""

from dataclasses import dataclass

from calmkb.kb.base.knowledge_base import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text fit to be kept, and how often each rule of the secret filter hit, by name."""

    data: bytes
    hits: tuple[tuple[str, int], ...]


def redact(kb: KnowledgeBase, data: bytes, *, json_lines: bool = False) -> Redacted:
    """Return `data` as a wrap-up here would keep it; JSON Lines stay JSON Lines."""
    redactor = kb.redactor()
    if json_lines:
        cleaned = redactor.json_lines(data)
    else:
        text = data.decode(errors="replace").replace("\0", "\ufffd")
        cleaned = redactor.text(text).encode()
    return Redacted(cleaned, tuple(sorted(redactor.hits.items())))
