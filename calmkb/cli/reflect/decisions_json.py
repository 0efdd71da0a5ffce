"""Proposals and decisions as JSON: what `reflect --json` prints and `--apply` takes back."""

from typing import TYPE_CHECKING, Any

from calmkb.cli.base.json_io import fields_named, json_text, place_of, read_rows
from calmkb.errors import CalmError
from calmkb.model import ACTIONS, CATEGORIES, UNKNOWN_SCOPE, Decision, Proposal

if TYPE_CHECKING:
    from calmkb.kb.reflect.reflection import Pending, ReviewResult


def pending_json(waiting: "Pending") -> str:
    """Return the proposals; fill in each `decision` (accept, reject, skip) and apply the file."""
    document = {
        "sessions": list(waiting.entries),
        "proposals": [
            _proposal(item) | {"shown": item in waiting.shown} for item in waiting.proposals.open
        ],
        "known": [_proposal(item) for item in waiting.proposals.known],
        "held": [_proposal(item) for item in waiting.proposals.held],
    }
    return json_text(document, indent=2)


def reflected_json(done: "ReviewResult") -> str:
    """Return the outcome of a review."""
    document = {
        "reflection": done.reflection.id,
        "sessions_processed": len(done.reflection.entries),
        "memories": [fields_named(one, "id", "category", "text") for one in done.memories],
        "merged": [fields_named(one, "id", "category", "text") for one in done.changed],
        "rejected": len(done.reflection.rejected),
        "logs_deleted": done.logs_deleted,
    }
    return json_text(document, indent=2)


def read_decisions(source: str, waiting: "Pending") -> list[Decision]:
    """Return the decisions in a file (`-`: standard input); CalmError names every wrong part.

    A proposal without a `decision` is left for another time. Text, category, importance and scope
    that differ from what was proposed are taken as edits.
    """
    proposals = waiting.proposals
    offered = {item.id: item for item in (*proposals.open, *proposals.held)}
    rows = read_rows(source, "proposals", "reflect --json")
    rows = [row for row in rows if row.get("decision") is not None]
    if problems := [problem for row in rows for problem in _problems(row)]:
        raise CalmError(f"{place_of(source)}: " + "; ".join(problems))
    return [_decision(row, offered.get(str(row.get("id")))) for row in rows]


def _proposal(item: Proposal) -> dict[str, object]:
    verdict = item.verdict
    return {
        "id": item.id,
        "decision": None,
        **fields_named(item, "text", "category", "importance", "confidence", "origin"),
        "scope": item.scope if item.scope != UNKNOWN_SCOPE else None,
        "needs": ["scope"] if item.scope == UNKNOWN_SCOPE else [],
        "source": item.source or None,
        "proposed_by_agent": bool(item.waiting),
        **fields_named(item, "tags", "paths", "turns"),
        "backtest": _backtest(item),
        "speaks_of": list(item.anchors),
        "outdated": item.outdated or None,
        "held": item.held or None,
        "contradicts": item.contradicts or None,
        "same_subject": list(item.alike),
        "guardrail": item.guardrail or None,
        "reasoning": item.reasoning or None,
        "reason": "",
        "into": "",
        "verdict": verdict.kind,
        "resembles": _resembles(item),
        "rejected": item.rejected or None,
        "evidence": [
            {"date": e.date, "project": e.project, "session": e.source, "quote": e.quote}
            for e in item.evidence
        ],
    }


def _backtest(item: Proposal) -> dict[str, object] | None:
    found = item.backtest
    if found is None:
        return None
    turns = found.saved.turns if found.located else None
    return {"met": len(found.met), "possible": len(found.possible), "turns": turns}


def _resembles(item: Proposal) -> dict[str, object] | None:
    verdict = item.verdict
    if not verdict.other:
        return None
    found = {"id": verdict.other, "text": verdict.text, "similarity": verdict.similarity}
    return found | ({"approval": verdict.approval} if verdict.approval else {})


def _decision(row: dict[str, Any], proposal: Proposal | None) -> Decision:
    text = row.get("text") or ""
    # A merge that names no memory is into the one that the proposal resembles.
    resembled = proposal.verdict.other if proposal and row["decision"] == "merge" else ""
    return Decision(
        proposal_id=str(row.get("id")),
        action=row["decision"],
        text="" if proposal and text == proposal.text else text,
        category=row.get("category"),
        importance=row.get("importance"),
        reason=row.get("reason") or "",
        into=row.get("into") or resembled,
        scope=(row.get("scope") or "").strip(),
    )


def _problems(row: dict[str, Any]) -> list[str]:
    """Return what is wrong with one decision."""
    name, found = f"proposal {row.get('id')!r}", []
    for key, known in (("decision", ACTIONS), ("category", CATEGORIES)):
        if row.get(key) not in (None, *known):
            choices = ", ".join(known)
            found.append(f"{name}: {key} {row[key]!r} is unknown; choose from: {choices}")
    number = row.get("importance")
    if number is not None and (
        not isinstance(number, int | float) or isinstance(number, bool) or not 0 <= number <= 1
    ):
        found.append(f"{name}: importance {number!r} is not a number from 0 to 1")
    for key in ("text", "reason", "into", "scope"):
        if row.get(key) is not None and not isinstance(row[key], str):
            found.append(f"{name}: {key} must be text")
    return found
