"""Learnings and decisions as JSON: what `reflect --signals --json` prints and `--apply` takes."""

from dataclasses import dataclass
from typing import Any

from calmkb.cli.base.json_io import fields_named, json_text, place_of, read_rows
from calmkb.cli.base.text import counted
from calmkb.errors import CalmError
from calmkb.kb.signals.files import TARGETS, Target
from calmkb.kb.signals.learning import Learning, SignalReview, dismiss, finish, keep, plan

_CHOICES = (*TARGETS, "skip")


@dataclass(frozen=True, slots=True)
class _Decision:
    learning: Learning
    target: Target | None
    text: str


def waiting_json(found: SignalReview) -> str:
    """Return the learnings; fill in each `target` (project, global, improvements, skip)."""
    document = {
        "items": [_item(found, learning) for learning in found.gathered.open],
        "known": [{"id": one.id, "text": one.text} for one in found.gathered.known],
    }
    return json_text(document, indent=2)


def apply_decisions(found: SignalReview, source: str, *, as_json: bool) -> str:
    """Carry out the decisions in a file (`-`: standard input); return the report.

    An item without a `target` is left for another time. CalmError names every wrong part, and
    then nothing is changed.
    """
    decided = _read(found, source)
    written = []
    for one in decided:
        if one.target is not None:
            path = found.shown(keep(found, one.learning, one.target, one.text))
            written.append({"id": one.learning.id, "file": path})
    dismiss(found, *(one.learning for one in decided if one.target is None))
    archived = finish(found)
    skipped = len(decided) - len(written)
    if as_json:
        return json_text({"added": written, "skipped": skipped, "archived": archived}, indent=2)
    items = counted(len(decided), "item")
    return f"Reflected on {items}: {len(written)} added, {skipped} skipped."


def _item(found: SignalReview, one: Learning) -> dict[str, object]:
    return {
        "id": one.id,
        "target": None,
        "suggested": found.suggested(one),
        "targets": [*found.targets(one), "skip"],
        "text": one.text,
        "type": one.lead.type,
        **fields_named(one, "scope", "side", "category", "confidence", "sessions"),
        "project": one.project or None,
        "context": one.lead.context,
        "source": dict(one.lead.source),
        "timestamp": one.signals[0].timestamp,
        "also": list(one.also),
        "contradicts": one.against or None,
        "signals": [signal.id for signal in one.signals],
    }


def _read(found: SignalReview, source: str) -> list[_Decision]:
    offered = {learning.id: learning for learning in found.gathered.open}
    problems: list[str] = []
    decided: dict[str, _Decision] = {}
    for row in read_rows(source, "items", "reflect --signals --json"):
        if row.get("target") is None:
            continue
        name = str(row.get("id"))
        if name in decided:
            problems.append(f"learning {name!r} is decided twice; keep one")
        try:
            decided[name] = _decision(found, row, offered.get(name))
        except CalmError as error:
            problems.append(str(error))
    if problems:
        raise CalmError(f"{place_of(source)}: " + "; ".join(problems))
    return list(decided.values())


def _decision(found: SignalReview, row: dict[str, Any], learning: Learning | None) -> _Decision:
    """Return one decision, checked as far as that changes nothing."""
    target, text = row["target"], row.get("text")
    if learning is None:
        raise CalmError(
            f"learning {row.get('id')!r} is not open (its signals have changed, or it was decided "
            "before); print them again with `calmkb reflect --signals --json`"
        )
    if target not in _CHOICES:
        choices = ", ".join(_CHOICES)
        raise CalmError(f"learning {learning.id}: target {target!r} is unknown; choose: {choices}")
    if text is not None and not (isinstance(text, str) and text.strip()):
        raise CalmError(f"learning {learning.id}: text must be words, or be left out")
    if target == "skip":
        return _Decision(learning, None, "")
    plan(found, learning, target, text or "")
    return _Decision(learning, target, text or "")
