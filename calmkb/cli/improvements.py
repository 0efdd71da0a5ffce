"""`calmkb improvements`: what a project should improve, and the state of each."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, listed_kb
from calmkb.cli.base.json_io import json_option, print_json
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import clip, terminal_width, visible
from calmkb.model import IMPROVEMENT_STATES, Improvement, ImprovementState

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase


@click.group(cls=LazyGroup, table={"show": ("calmkb.cli.journal.show:show", "")})
def improvements() -> None:
    """Manage project improvements.

    apply, defer and reopen commit the new state. The list in .claude/improvements.md is yours to
    edit: an item stays where it is.
    """


@improvements.command("list")
@click.option("--project", help="Only this project.")
@click.option("--state", type=click.Choice(IMPROVEMENT_STATES), help="Only this state.")
@json_option
@click.pass_context
def list_command(
    context: click.Context, project: str | None, state: str | None, as_json: bool
) -> None:
    """List improvements, newest first."""
    from calmkb.kb.improvements import read_improvements

    found, _ = read_improvements(listed_kb(context), project=project, state=state)
    if as_json:
        print_json({"improvements": [_row(item) for item in found], "count": len(found)})
    else:
        click.echo("\n".join(map(_line, found)) or "No improvements found.")


def page(kb: "KnowledgeBase", identity: str, detail: object = None) -> "Page":
    """Return an improvement with its evidence, as `show` shows it."""
    from calmkb.kb.improvements import locate_improvement

    filed = locate_improvement(kb, identity)
    return {**_row(filed.record), "path": filed.path}, hanging(_page(filed.record, filed.path))


def _command_for(name: str, state: ImprovementState, summary: str) -> None:
    """Add the command that sets an improvement to `state`."""

    @improvements.command(name, help=summary)
    @click.argument("id")
    @click.option("--reason", default="", help="Why; kept in the commit message.")
    @json_option
    @click.pass_context
    def command(context: click.Context, id: str, reason: str, as_json: bool) -> None:  # noqa: A002
        _set(context, id, state, reason, as_json=as_json)


_command_for("apply", "applied", "Mark an improvement as applied.")
_command_for("defer", "deferred", "Mark an improvement as deferred.")
_command_for("reopen", "pending", "Reopen an improvement.")


def _set(
    context: click.Context, prefix: str, state: ImprovementState, reason: str, *, as_json: bool
) -> None:
    from calmkb.kb.improvements import set_state

    record, changed = set_state(kb_from(context), prefix, state, reason=reason)
    if as_json:
        print_json(_row(record) | {"changed": changed})
    else:
        was = "" if changed else " already"
        click.echo(f"{record.id[:8]} is{was} {state}: {visible(record.title)}")


def _line(item: Improvement) -> str:
    head = f"{item.id[:8]}  {item.state:8}  {item.impact:6}  "
    text = f"{item.project}: {item.title}" if item.project else item.title
    return head + clip(text, max(40, terminal_width() - len(head)))


def _page(item: Improvement, path: str) -> str:
    confidence = f"{item.confidence} ({item.reason})" if item.reason else item.confidence
    heads = (
        ("id", item.id),
        ("state", item.state),
        ("project", item.project),
        ("category", item.category),
        ("impact", item.impact),
        ("confidence", confidence),
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
    from calmkb.kb.search.search import fields_of

    return fields_of(item)
