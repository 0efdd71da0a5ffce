"""A memory as a file."""

from pathlib import PurePosixPath
from typing import Any, cast

from calmkb.documents import sections
from calmkb.documents.evidence import parse_evidence, render_evidence
from calmkb.documents.fields import Fields
from calmkb.documents.front_matter import Plain
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import CATEGORIES, Category, Confidence, FrontValue, Memory, Origin

_LINES = ("approved_by", "supersedes", "enforce")
_LISTS = ("tags", "paths", "merged", "checks", "anchors", "sources")


def render(memory: Memory) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": memory.id,
        "created_at": memory.created_at.isoformat(),
        "category": memory.category,
        "importance": Plain(repr(memory.importance)),
        "confidence": memory.confidence,
        "scope": memory.scope,
        "origin": memory.origin,
    }
    front |= {key: text for key in _LINES if (text := getattr(memory, key))}
    front |= {key: list(v) for key in _LISTS if (v := getattr(memory, key))}
    quotes = tuple(render_evidence(item, memory.sources) for item in memory.evidence)
    parts = [
        ("Why", sections.render_text(memory.why) if memory.why else ""),
        ("Evidence", sections.render_items(quotes)),
    ]
    before = sections.render_text(memory.text)
    return front, sections.join(before, parts + sections.render_others(memory.sections))


def parse(fields: Fields, body: str, path: str) -> Memory:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ("why", "evidence"))
    folder = PurePosixPath(path).parts[1]
    listed: dict[str, Any] = {name: fields.text(name) for name in _LINES}
    listed |= {name: fields.texts(name) for name in _LISTS}
    return Memory(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        text=sections.parse_text(before),
        category=cast(
            Category, fields.text("category", folder if folder in CATEGORIES else "fact")
        ),
        importance=fields.number("importance", 0.5),
        confidence=cast(Confidence, fields.text("confidence", "low")),
        scope=fields.text("scope", "global"),
        origin=cast(Origin, fields.text("origin", "person")),
        why=parts.text("why"),
        evidence=tuple(parse_evidence(one, listed["sources"]) for one in parts.items("evidence")),
        **listed,
        extra=fields.rest(),
        sections=parts.others(""),
    )
