"""A case, the outcome of it, and records as an attacker writes them by hand."""

import json
import uuid
from dataclasses import dataclass

_SESSION = """---
id: {id}
created_at: '2026-11-{day:02}T10:00:00+00:00'
project_name: {project}
working_directory: ~/x
needs_continuation: {continued}
---

## Summary

{text}

## Friction points

- {point}

## Next steps

- {point}
"""
_MEMORY = """---
id: {id}
created_at: '2026-11-{day:02}T10:00:00+00:00'
category: {category}
importance: 1.0
confidence: high
scope: {scope}
origin: person
approved_by: {who}
---

{text}
"""


@dataclass(frozen=True)
class Case:
    """One planted text or setting: who could plant it (`carrier`), how, and its marker."""

    family: str
    carrier: str
    attack: str
    marker: str
    text: str = ""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case: `through` says how it got through, or is empty."""

    case: Case
    through: str = ""


def marker() -> str:
    """Return a word that stands nowhere else."""
    return f"zq{uuid.uuid4().hex[:10]}"


def indented(text: str) -> str:
    """Return text as the continuation of a list item."""
    return text.replace("\n", "\n  ")


def session(text: str, *, project: str, continued: bool = False) -> dict[str, str]:
    """Return a session entry as a file of a journal."""
    made = str(uuid.uuid4())
    body = _SESSION.format(
        id=made, day=3, project=json.dumps(project), text=text, point=indented(text),
        continued=str(continued).lower(),
    )  # fmt: skip
    return {f"journal/sessions/2026/11/03/2026-11-03T100000Z-x-{made[:8]}.md": body}


def memory(text: str, *, who: str = "boss@example.org", category: str = "workflow",
           scope: str = "global") -> dict[str, str]:  # fmt: skip
    """Return a memory as a file of a journal."""
    made = str(uuid.uuid4())
    body = _MEMORY.format(id=made, day=4, category=category, scope=scope, who=who, text=text)
    return {f"journal/memories/{category}/2026-11-04T100000Z-x-{made[:8]}.md": body}
