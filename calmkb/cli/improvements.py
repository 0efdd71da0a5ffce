"""`calmkb improvements`: what a project should mend, and what became of it."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from calmkb.cli.common import clip, kb_from, terminal_width, visible, warn
from calmkb.errors import CalmError
from calmkb.model import IMPROVEMENT_STATES, Improvement, ImprovementState

if TYPE_CHECKING:
    from calmkb.kb.base import KnowledgeBase
    from calmkb.kb.improvements_sync import InStep

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_REASON = click.option("--reason", default="", help="Why, for those who read the history.")


@click.group()
def improvements() -> None:
    """List, show, apply and defer what a project should mend."""


@improvements.command("list")
@click.option("--project", help="Of one project alone.")
@click.option("--state", type=click.Choice(IMPROVEMENT_STATES), help="Of one state alone.")
@_JSON
@click.pass_context
def list_command(
    context: click.Context, project: str | None, state: str | None, as_json: bool
) -> None:
    """List improvements, newest first."""
    from calmkb.kb.improvements import read_improvements

    found, _ = read_improvements(kb_from(context), project=project, state=state)
    if as_json:
        click.echo(json.dumps([_row(item) for item in found], ensure_ascii=False))
    else:
        click.echo("\n".join(map(_line, found)) or "No improvements found.")


@improvements.command()
@click.argument("id")
@_JSON
@click.pass_context
def show(context: click.Context, id: str, as_json: bool) -> None:  # noqa: A002
    """Show an improvement and what it rests on."""
    from calmkb.kb.improvements import locate_improvement

    filed = locate_improvement(kb_from(context), id)
    if as_json:
        click.echo(json.dumps(_row(filed.record) | {"path": filed.path}, ensure_ascii=False))
    else:
        click.echo(_page(filed.record, filed.path))


@improvements.command()
@click.argument("id")
@_REASON
@_JSON
@click.pass_context
def apply(context: click.Context, id: str, reason: str, as_json: bool) -> None:  # noqa: A002
    """Say that an improvement was made."""
    _set(context, id, "applied", reason, as_json=as_json)


@improvements.command()
@click.argument("id")
@_REASON
@_JSON
@click.pass_context
def defer(context: click.Context, id: str, reason: str, as_json: bool) -> None:  # noqa: A002
    """Put an improvement off."""
    _set(context, id, "deferred", reason, as_json=as_json)


@improvements.command()
@click.argument("id")
@_REASON
@_JSON
@click.pass_context
def reopen(context: click.Context, id: str, reason: str, as_json: bool) -> None:  # noqa: A002
    """Let an improvement wait again."""
    _set(context, id, "pending", reason, as_json=as_json)


@improvements.command()
@click.option("--adopt", is_flag=True, help="Make records of items that were written by hand.")
@_JSON
@click.pass_context
def sync(context: click.Context, adopt: bool, as_json: bool) -> None:
    """Bring .claude/improvements.md of this project and the records in step, both ways."""
    from calmkb.kb.improvements_sync import bring_in_step

    done = bring_in_step(kb_from(context), make=True, adopt=adopt)
    if as_json:
        click.echo(json.dumps(_done_row(done), ensure_ascii=False))
    elif done.path is None:
        click.echo("No project here, or no knowledge base yet; nothing to bring in step.")
    else:
        tell(done)
        if not told(done):
            click.echo("In step: nothing to do.")


def tell(done: "InStep") -> None:
    """Say what was brought in step, and what a person should look at."""
    for line in told(done):
        click.echo(line)
    for note in done.notes:
        warn(note)


def read_back(kb: "KnowledgeBase") -> None:
    """Take in what the file of the project at hand says; a fault there stops nothing else."""
    from calmkb.kb.improvements_sync import bring_in_step

    try:
        tell(replace(bring_in_step(kb), unknown=[]))
    except CalmError as error:
        warn(f"the improvements were not read back: {error}")


def told(done: "InStep") -> list[str]:
    """Return what was brought in step, a line each."""
    lines = [f"{item.state}: {visible(item.title)} (as the file says)" for item in done.read]
    lines += [f"deferred: {visible(item.title)} (taken out of the file)" for item in done.taken_out]
    lines += [f"recorded: {visible(item.title)}" for item in done.adopted]
    if done.written and done.path:
        count = len(done.written)
        lines.append(f"{count} item{'s' * (count != 1)} brought up to date in {done.path}")
    if done.unknown:
        what = f"{len(done.unknown)} without a record, such as {clip(done.unknown[0], 60)!r}"
        lines.append(f"{what}; to keep them: calmkb improvements sync --adopt")
    return lines


def _set(
    context: click.Context,
    prefix: str,
    state: ImprovementState,
    reason: str,
    *,
    as_json: bool,
) -> None:
    """Commit the state, and bring the file of this project in step."""
    from calmkb.kb.improvements import set_state
    from calmkb.kb.improvements_sync import bring_in_step

    kb = kb_from(context)
    # First what the file says: words that a person has just changed there are not lost.
    notes = bring_in_step(kb).notes
    record, changed = set_state(kb, prefix, state, reason=reason)
    notes += bring_in_step(kb).notes
    if as_json:
        click.echo(json.dumps(_row(record) | {"changed": changed}, ensure_ascii=False))
    else:
        was = "" if changed else " already"
        click.echo(f"{record.id[:8]} is{was} {state}: {visible(record.title)}")
    for note in dict.fromkeys(notes):
        warn(note)


def _line(item: Improvement) -> str:
    head = f"{item.id[:8]}  {item.state:8}  {item.impact:6}  "
    text = f"{item.project}: {item.title}" if item.project else item.title
    return head + clip(text, max(40, terminal_width() - len(head)))


def _page(item: Improvement, path: str) -> str:
    sure = f"{item.confidence} ({item.reason})" if item.reason else item.confidence
    heads = (
        ("id", item.id),
        ("state", item.state),
        ("project", item.project),
        ("category", item.category),
        ("impact", item.impact),
        ("confidence", sure),
        ("approved by", item.approved_by),
        ("created", f"{item.created_at:%Y-%m-%d %H:%M:%S}"),
        ("file", path),
    )
    blocks = ["".join(f"{name + ':':15}{visible(value)}\n" for name, value in heads if value)]
    blocks[0] += f"\n{visible(item.title)}\n\n{visible(item.details)}"
    if item.action:
        blocks.append(f"Suggested action\n  {visible(item.action)}")
    quotes = [f"  - {e.date} ({e.source}): {' '.join(e.quote.split())}" for e in item.evidence]
    if quotes:
        blocks.append("Evidence\n" + visible("\n".join(quotes)))
    blocks += [f"{visible(part.heading)}\n{visible(part.text)}" for part in item.sections]
    return "\n\n".join(blocks)


def _row(item: Improvement) -> dict[str, object]:
    from calmkb.kb.search import fields_of

    return fields_of(item)


def _done_row(done: "InStep") -> dict[str, object]:
    return {
        "file": str(done.path) if done.path else None,
        "read": [_row(item) for item in done.read],
        "taken_out": [_row(item) for item in done.taken_out],
        "written": [item.id for item in done.written],
        "adopted": [_row(item) for item in done.adopted],
        "unknown": done.unknown,
        "notes": done.notes,
    }
