"""`calmkb backtest`: what memories and proposals would have saved."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.days import Amount
from calmkb.cli.base.json_io import print_json
from calmkb.cli.base.layout import hanging, print_paged
from calmkb.cli.base.text import counted, visible
from calmkb.cli.memory.report import fields
from calmkb.model.memories.backtest import hits, summed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.model import Memory, Proposal
    from calmkb.model.memories.backtest import Backtest, Cost, Occurrence

_SHOWN = 20


@click.command()
@click.argument("id", required=False, default="")
@click.option("--all", "everything", is_flag=True, help="List those that saved nothing too.")
@click.option(
    "--price", type=Amount(min=0), metavar="DOLLARS",
    help="What a million tokens cost you: adds what was spent.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def backtest(
    context: click.Context,
    id: str,  # noqa: A002
    everything: bool,
    price: float | None,
    as_json: bool,
) -> None:
    """Count what each memory and proposal would have saved, by the sessions since.

    Had it existed since the session that taught it first: which later ones hit the same problem,
    and what did that cost them? With an ID (or its beginning), each of these sessions is quoted.
    Costs are known of sessions kept here: `calmkb agents keep`.
    """
    found = _found(kb_from(context), id)
    if as_json:
        print_json({"backtests": [fields(one, price) for one in found]})
    elif id and found:
        print_paged(hanging(_detail(found[0], price)))
    else:
        print_paged(_table(found, price, everything=everything))


def _found(kb: "KnowledgeBase", prefix: str) -> "list[Backtest]":
    """Return the backtest of each memory and waiting proposal, or of one; most met first."""
    from calmkb.kb.journal.sessions import read_contents
    from calmkb.kb.memories.backtest import backtests
    from calmkb.kb.memories.files import find_memory
    from calmkb.kb.reflect.reflection import pending

    contents = read_contents(kb)
    replaced = {memory.supersedes for memory in contents.memories}
    standing = [memory for memory in contents.memories if memory.id not in replaced]
    asked: list[Memory | Proposal] = [*standing, *pending(kb).proposals.open]
    if prefix:
        asked = [one for one in asked if one.id.startswith(prefix)][:1] or [find_memory(kb, prefix)]
    found = backtests(kb, asked, contents)
    return sorted(found, key=lambda x: (-len(x.met) - len(x.met_since), -x.saved.turns, x.id))


def _table(found: "Sequence[Backtest]", price: float | None, *, everything: bool) -> str:
    shown = [one for one in found if everything or one.met or one.met_since]
    if not found:
        return "Nothing to test: there are no sessions, or no memories and no proposals."
    if not shown:
        return f"No later session hit the trouble of {counted(len(found), 'memory or proposal')}."
    lines = [f"{'':8}  {'sessions':>9}  {'turns':>5}  {'since':>6}  lesson"]
    for one in shown if everything else shown[:_SHOWN]:
        cost = str(one.saved.turns) if one.located else "-"
        since = hits(one.met_since, one.possible_since) if one.approved_at else "-"
        lines.append(
            f"{one.id[:8]}  {hits(one.met, one.possible):>9}  {cost:>5}  {since:>6}  "
            f"{visible(one.text.split(chr(10), 1)[0])}"
        )
    if len(shown) > _SHOWN and not everything:
        lines.append(f"... and {len(shown) - _SHOWN} more: calmkb backtest --all")
    lines += [
        "",
        "sessions: that hit it again before it was approved, and with those that may have.",
        "since: that hit it after the approval. For each session: calmkb backtest ID",
    ]
    saved = sum(one.saved.tokens for one in found)
    return "\n".join(lines + ([_money(saved, price)] if price is not None and saved else []))


def _detail(one: "Backtest", price: float | None) -> str:
    lines = [one.text, ""]
    approved = f"approved {one.approved_at:%Y-%m-%d}" if one.approved_at else "not approved"
    # Added by hand it has no first lesson, and counts from its approval on.
    first = (
        "Cites no session" if one.since == one.approved_at else f"First met {one.since:%Y-%m-%d}"
    )
    lines.append(f"{first}, {approved}; {counted(one.sessions, 'later session')}.")
    lines += [f"{one.words[0].upper()}{one.words[1:]}."] if one.approved_at else []
    for title, sure, possible in (
        ("Would have saved", one.met, one.possible),
        ("Hit since the approval", one.met_since, one.possible_since),
    ):
        if sure or possible:
            sessions = f"session{'' if len(sure) + len(possible) == 1 else 's'}"
            met = f"{hits(sure, possible)} {sessions}"
            lines += ["", f"{title}: {met}{_known_cost(sure, price)}"]
            lines += [_line(occurrence) for occurrence in sure]
            lines += [_line(occurrence, "maybe ") for occurrence in possible]
    if not (one.met or one.met_since or one.possible or one.possible_since):
        lines += ["", "No later session hit this problem."]
    return "\n".join(lines)


def _line(one: "Occurrence", doubt: str = "") -> str:
    cost = f" ({_cost_text(one.cost)})" if one.cost else ""
    return f"  - {doubt}{one.date} {one.session[:8]}{cost}: {one.quote}"


def _known_cost(sure: "Sequence[Occurrence]", price: float | None) -> str:
    known = sum(one.cost is not None for one in sure)
    if not known:
        return "; what it cost is not known"
    cost = summed(sure)
    money = f", {_money(cost.tokens, price)}" if price is not None and cost.tokens else ""
    among = "" if known == len(sure) else f", known of {known}"
    return f"; {_cost_text(cost)}{money}{among}"


def _cost_text(cost: "Cost") -> str:
    parts = [counted(cost.turns, "turn"), f"{cost.minutes:.0f} min"]
    return ", ".join(parts + ([f"{cost.tokens:,} tokens"] if cost.tokens else []))


def _money(tokens: int, price: float | None) -> str:
    return f"${tokens * (price or 0) / 1e6:,.2f} at ${price:g} a million tokens"
