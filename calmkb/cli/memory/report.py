"""`calmkb memory report`: how each memory fares."""

from collections import Counter
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import fields_named, json_option, print_json
from calmkb.cli.base.layout import hanging, print_paged
from calmkb.cli.base.text import counted, visible
from calmkb.model import CONFIDENCES, GLOBAL_SCOPE

if TYPE_CHECKING:
    from calmkb.kb.memories.recalled import Recalled
    from calmkb.kb.memories.report import Reported
    from calmkb.model.memories.backtest import Backtest, Occurrence

_DECIDE = (
    "Keep one: calmkb memory feedback ID kept. Else: calmkb memory edit ID, merge ID INTO, or "
    "retire ID."
)


@click.command()
@click.option("--stale", is_flag=True, help="Only those to look at again.")
@json_option
@click.pass_context
def report(context: click.Context, stale: bool, as_json: bool) -> None:
    """Tell how memories fare: did their trouble come back, were they recalled, are they stale?

    Those whose trouble most sessions met since the approval come first.
    """
    from calmkb.kb.memories.report import memory_report

    found = [one for one in memory_report(kb_from(context)) if one.grounds or not stale]
    if as_json:
        print_json({"memories": [_fields(one) for one in found], "count": len(found)})
    elif found:
        parts = [_sums(found), *(_lines(one) for one in found), *([_DECIDE] if stale else [])]
        print_paged(hanging("\n\n".join(parts)))
    else:
        click.echo(f"No {'stale ' if stale else ''}memories.")


def _sums(found: "list[Reported]") -> str:
    """Return how many memories there are of each verdict and each confidence."""
    troubles = Counter(one.backtest.verdict for one in found)
    words = Counter(one.standing.word for one in found)
    each = [f"{count} {verdict}" for verdict, count in sorted(troubles.items())]
    sure = [f"{words[word]} {word}" for word in CONFIDENCES if words[word]]
    total = counted(len(found), "memory", "memories")
    return f"{total}. Troubles: {', '.join(each)}. Confidence: {', '.join(sure)}."


def _lines(one: "Reported") -> str:
    memory, standing = one.memory, one.standing
    scope = "everywhere" if memory.scope == GLOBAL_SCOPE else memory.scope
    facts = [
        f"{memory.category}, {scope}, confidence {standing.value:.2f} ({standing.word}), "
        f"{one.counts.helpful} helpful, {one.counts.harmful} harmful",
        one.backtest.words,
        one.backtest.turns and f"turns lost: {one.backtest.turns}",
        one.recalled.words and f"recalled {one.recalled.words}",
        *(f"look again: {' '.join(ground.words.split())}" for ground in one.grounds),
    ]
    head = f"{memory.id[:8]}  {' '.join(memory.text.split())}"
    return visible("\n".join([head, *(f"  {fact}" for fact in facts if fact)]))


def _fields(one: "Reported") -> dict[str, object]:
    return {
        **fields_named(one.memory, "id", "text", "category", "scope"),
        "standing": round(one.standing.value, 4),
        "confidence_now": one.standing.word,
        "helpful": one.counts.helpful,
        "harmful": one.counts.harmful,
        "backtest": fields(one.backtest),
        "recalled": recalled_fields(one.recalled),
        "grounds": [
            fields_named(ground, "kind", "words", "since", "other") for ground in one.grounds
        ],
    }


def fields(one: "Backtest", price: float | None = None) -> dict[str, object]:
    """Return a backtest for JSON, with what was spent at a price."""
    saved = asdict(one.saved) if one.located else None
    if saved and price is not None:
        saved["dollars"] = round(one.saved.tokens * price / 1e6, 4)
    times = ("met", "possible", "met_since", "possible_since")
    return {
        **fields_named(one, "id", "text", "approved_at", "since", "sessions", "sessions_since"),
        "verdict": one.verdict if one.approved_at else None,
        "chance": one.chance,
        **{name: [_occurrence(item) for item in getattr(one, name)] for name in times},
        "saved": saved,
        "located": one.located,
    }


def recalled_fields(one: "Recalled") -> dict[str, int] | None:
    """Return how often a memory was recalled, for JSON; None where it never was."""
    return fields_named(one, "sessions", "met") if one.sessions else None


def _occurrence(one: "Occurrence") -> dict[str, object]:
    shown = replace(one, chance=round(one.chance, 3))
    return fields_named(shown, "session", "date", "quote", "chance", "cost")
