"""`calmkb stats`: counts of records, decisions and feedback."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import listed_kb
from calmkb.cli.base.json_io import json_option, print_json
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.text import counted, visible

if TYPE_CHECKING:
    from calmkb.model import Statistics


@click.command()
@json_option
@click.pass_context
def stats(context: click.Context, as_json: bool) -> None:
    """Show counts of sessions, friction, memories, decisions, improvements and feedback."""
    from calmkb.kb.checks.statistics import statistics

    found = statistics(listed_kb(context))
    if as_json:
        from dataclasses import asdict

        print_json(asdict(found))
    else:
        lines = (f"{name + ':':18}{value}" for name, value in _lines(found) if value)
        click.echo(hanging("\n".join(lines), column=18))


def _lines(found: "Statistics") -> list[tuple[str, str]]:
    held, total = _counts(found.memories), sum(found.memories.values())
    each = found.friction_per_session
    cost, since = found.digest_tokens, found.unreflected_since
    decided = f"{found.accepted} accepted, {found.merged} merged, {found.rejected} rejected"
    return [
        ("sessions", f"{found.entries} in {counted(found.projects, 'project')}, "
                     f"{found.unreflected} not reflected on"
                     + (f", the oldest of {since.astimezone():%Y-%m-%d}" if since else "")),
        ("friction points", str(found.friction_points)
                            + (f" ({each:.1f} a session)" if each is not None else "")),
        ("troubles", f"{found.recurring} in more than one session, {found.unanswered} of them "
                     f"without a memory; {found.themes - found.recurring} in one session alone"),
        ("memories", f"{total} ({held})" if total else "0"),
        ("scopes", visible(_counts(found.scopes))),
        ("confidence", _counts(found.standing or {})),
        ("digest", "" if cost is None else f"about {cost:,} tokens"),
        ("reflections", str(found.reflections)),
        ("proposals", decided),
        ("improvements", ", ".join(f"{n} {name}" for name, n in found.improvements.items())),
        ("feedback", ", ".join(f"{n} {name}" for name, n in found.feedback.items())),
        ("since approval", _counts(found.helped)),
    ]  # fmt: skip


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in found.items() if count)
