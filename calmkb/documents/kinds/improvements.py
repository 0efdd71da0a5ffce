"""Something to fix in a project, as a file."""

from typing import cast

from calmkb.documents import sections
from calmkb.documents.evidence import parse_evidence, render_evidence
from calmkb.documents.fields import Fields
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import Confidence, FrontValue, Impact, Improvement, ImprovementState

_LINES = ("title", "category", "impact", "confidence", "reason", "project", "approved_by")


def render(record: Improvement) -> tuple[dict[str, FrontValue], str]:
    """Return the front matter and the body of the file."""
    front: dict[str, FrontValue] = {
        "id": record.id,
        "created_at": record.created_at.isoformat(),
        "state": record.state,
    }
    front |= {key: text for key in _LINES if (text := getattr(record, key))}
    if record.sources:
        front["sources"] = list(record.sources)
    quotes = tuple(render_evidence(item, record.sources) for item in record.evidence)
    parts = [
        ("Suggested action", sections.render_text(record.action) if record.action else ""),
        ("Evidence", sections.render_items(quotes)),
    ]
    before = sections.render_text(record.details)
    return front, sections.join(before, parts + sections.render_others(record.sections))


def parse(fields: Fields, body: str, path: str) -> Improvement:
    """Return the record; RecordError names what is wrong."""
    before, parts = split_known(body, ("suggested action", "evidence"))
    details = sections.parse_text(before)
    sources = fields.texts("sources")
    return Improvement(
        id=fields.identity(path),
        created_at=fields.moment("created_at", time_in_name(path)),
        title=fields.text("title", details.strip().split("\n", 1)[0][:120]),
        details=details,
        category=fields.text("category"),
        impact=cast(Impact, fields.text("impact", "low").strip().lower()),
        action=parts.text("suggested action"),
        confidence=cast(Confidence, fields.text("confidence", "low").strip().lower()),
        reason=fields.text("reason"),
        project=fields.text("project"),
        state=cast(ImprovementState, fields.text("state", "pending").strip().lower()),
        approved_by=fields.text("approved_by"),
        evidence=tuple(parse_evidence(item, sources) for item in parts.items("evidence")),
        sources=sources,
        extra=fields.rest(),
        sections=parts.others(""),
    )
