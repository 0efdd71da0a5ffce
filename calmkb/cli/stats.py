"""`calmkb stats`: what the knowledge base holds and what became of it."""

import json
from typing import TYPE_CHECKING

import click

from calmkb.cli.common import kb_from

if TYPE_CHECKING:
    from calmkb.kb.statistics import Statistics

_DAY_HOURS = 24


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def stats(context: click.Context, as_json: bool) -> None:
    """Count sessions, memories, decisions and what helped."""
    from calmkb.kb.statistics import statistics

    found = statistics(kb_from(context))
    if as_json:
        from dataclasses import asdict

        click.echo(json.dumps(asdict(found), ensure_ascii=False))
    else:
        click.echo("\n".join(f"{name + ':':18}{value}" for name, value in _lines(found)))


def _lines(found: "Statistics") -> list[tuple[str, str]]:
    held = ", ".join(f"{count} {name}" for name, count in found.memories.items() if count)
    total = sum(found.memories.values())
    rate = found.acceptance_rate
    decided = f"{found.accepted} accepted, {found.merged} merged, {found.turned_down} turned down"
    return [
        ("sessions", f"{found.entries} in {found.projects} project{'s' * (found.projects != 1)}, "
                     f"{found.unreflected} not reflected on"),
        ("friction points", str(found.friction_points)),
        ("memories", f"{total} ({held})" if held else "0"),
        ("reflections", str(found.reflections)),
        ("proposals", decided + (f" ({rate:.0%} kept)" if rate is not None else "")),
        ("to review", _span(found.review_hours)),
        ("feedback", f"{found.feedback.helpful} helpful, {found.feedback.harmful} harmful"),
        ("did they help", ", ".join(f"{n} {name}" for name, n in found.helped.items()) or "-"),
    ]  # fmt: skip


def _span(hours: float | None) -> str:
    if hours is None:
        return "-"
    if hours < _DAY_HOURS:
        return f"{hours:.1f} hours (median)"
    return f"{hours / _DAY_HOURS:.1f} days (median)"
