"""Proposals as a review shows them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import click

from calmkb.cli.base.text import clip, counted, terminal_width, visible
from calmkb.cli.review.items import Item
from calmkb.model import UNKNOWN_SCOPE, Category, Decision, Proposal, scope_words
from calmkb.model.memories.backtest import Backtest

GROUPS: dict[Category, str] = {
    "error": "Debugging Insights",
    "fact": "Codebase Knowledge",
    "workflow": "Workflow Patterns",
    "decision": "Decisions",
    "preference": "Preferences",
}
_REASONS = 3  # reasons that a line on what is held back names


def in_groups(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals group by group, best first in each."""
    order = list(GROUPS)
    return sorted(proposals, key=lambda proposal: order.index(proposal.category))


def item_of(proposal: Proposal, decision: Decision | None = None) -> Item:
    """Return a proposal to decide on, as a `decision` on it changed its words and category."""
    category = (decision.category if decision else None) or proposal.category
    scope = (decision.scope if decision else "") or proposal.scope
    paths = (decision.paths if decision else ()) or proposal.paths
    return Item(
        id=proposal.id,
        text=(decision.text if decision else "") or proposal.text,
        facts=_facts(replace(proposal, category=category, scope=scope, paths=paths)),
        warnings=tuple(_warnings(proposal)),
        hints=tuple(_hints(proposal)),
        evidence=tuple(
            f"{one.date}, {one.project} ({one.source[:8]}): {one.quote}"
            for one in proposal.evidence
        ),
        group=GROUPS[proposal.category],
    )


def _facts(proposal: Proposal) -> str:
    sessions = len({item.source for item in proposal.evidence})
    parts = [
        f"{proposal.category}, {proposal.confidence} confidence, {scope_words(proposal.scope)}",
        counted(sessions, "session"),
        *(["proposed by an agent"] if proposal.waiting else []),
        *([f"only {', '.join(proposal.paths)}"] if proposal.paths else []),
        *([f"cost {proposal.turns} turns"] if proposal.turns else []),
        *_saving(proposal.backtest),
    ]
    return ", ".join(parts)


def _saving(found: Backtest | None) -> list[str]:
    """Say how many sessions after the first hit the same problem, and what that cost them."""
    if found is None or not (found.met or found.possible):
        return []
    least, most = len(found.met), len(found.met) + len(found.possible)
    range_ = "" if least == most else f"{least} to " if least else "up to "
    turns = f", about {counted(found.saved.turns, 'turn')} lost" if found.saved.turns else ""
    return [f"{range_}{counted(most, 'later session')} hit the same problem{turns}"]


def _warnings(proposal: Proposal) -> list[str]:
    verdict = proposal.verdict
    lines = [f"held back: {proposal.held}"] if proposal.held else []
    if proposal.scope == UNKNOWN_SCOPE:
        lines.append("where does it apply? To accept it: a here, a everywhere, a NAME or a src/**")
    lines += [f"contradicts {proposal.contradicts}"] if proposal.contradicts else []
    if verdict.kind == "conflict":
        lines.append(
            f"contradicts the memory {verdict.other[:8]}: {verdict.text} (x accepts this and "
            "replaces that one; a keeps both)"
        )
    lines += [f"of that memory: {verdict.approval}"] if verdict.approval else []
    lines += [f"rejected before, {proposal.rejected}"] if proposal.rejected else []
    return lines


def _hints(proposal: Proposal) -> list[str]:
    verdict = proposal.verdict
    lines = [one for one in (proposal.reasoning, proposal.outdated) if one]
    lines += [f"as a prohibition (e never): {proposal.guardrail}"] if proposal.guardrail else []
    if proposal.anchors:
        lines.append(f"mentions {', '.join(proposal.anchors)}: you are told when one changes")
    if verdict.kind == "new" and verdict.other:
        lines.append(f"resembles {verdict.other[:8]} ({verdict.similarity:.2f}): {verdict.text}")
    return lines


def held_line(held: Sequence[Proposal]) -> str:
    """Return how many are held back, and the commonest reasons; nothing where none is."""
    if not held:
        return ""
    reasons = Counter(visible(one.held) for one in held)
    first = reasons.most_common(_REASONS)
    named = [f"{why} ({count})" if len(reasons) > 1 else why for why, count in first]
    if more := len(held) - sum(count for _, count in first):
        named.append(f"other reasons ({more})")
    return f"{len(held)} held back: {'; '.join(named)}. See them: calmkb reflect --all"


def held_back(held: Sequence[Proposal]) -> str:
    """Return what a review does not ask about, a line each, below the reason."""
    by_reason: dict[str, list[str]] = {}
    for one in held:
        by_reason.setdefault(visible(one.held), []).append(clip(one.text, terminal_width() - 4))
    return "\n\n".join(
        "\n".join([click.style(reason[0].upper() + reason[1:], bold=True),
                   *(f"  - {text}" for text in texts)])
        for reason, texts in sorted(by_reason.items(), key=lambda row: (-len(row[1]), row[0]))
    )  # fmt: skip
