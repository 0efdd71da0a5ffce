"""`calmkb memory`: approved memories."""

import sys
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, listed_kb
from calmkb.cli.base.json_io import fields_named, json_option, print_json
from calmkb.cli.base.layout import print_paged
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import clip, terminal_width, visible
from calmkb.model import CATEGORIES, HELPED, KEPT, Memory

if TYPE_CHECKING:
    from calmkb.kb.memories.show import MemoryStatus

COMMANDS = {
    "show": ("calmkb.cli.journal.show:show", ""),
    "add": ("calmkb.cli.memory.change:add", "Add a memory of your own."),
    "edit": ("calmkb.cli.memory.change:edit", "Edit a memory; its id stays."),
    "merge": ("calmkb.cli.memory.change:merge", "Merge one memory into another."),
    "resolve": ("calmkb.wings.sharing.commands.resolve:resolve",
                "Decide between two edits of one memory."),
    "retire": ("calmkb.cli.memory.change:retire", "Delete a memory; git keeps its history."),
    "enforce": ("calmkb.wings.proof.commands.memory_enforce:enforce", ""),
    "report": ("calmkb.cli.memory.report:report", "Tell how memories fare."),
}  # fmt: skip

_HEAD = f"{'ID':8}  {'Created':10}  {'Category':10}  {'Confidence':10}  Memory"


@click.group(cls=LazyGroup, table=COMMANDS)
def memory() -> None:
    """List, find, add, edit and retire memories, and give feedback."""


@memory.command("list")
@click.option("--category", type=click.Choice(CATEGORIES))
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@json_option
@click.pass_context
def list_command(context: click.Context, category: str | None, limit: int, as_json: bool) -> None:
    """List memories, newest first."""
    from calmkb.kb.memories.show import list_statuses

    found = list_statuses(listed_kb(context), category=category, limit=limit)
    if as_json:
        print_json({"memories": [row(item) for item in found], "count": len(found)})
    elif not found:
        click.echo("No memories found.")
    else:
        print_paged("\n".join([_HEAD, *(_table_line(item) for item in found)]))


@memory.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@json_option
@click.pass_context
def find(context: click.Context, query: str, limit: int, as_json: bool) -> None:
    """Find the memories most similar to a text."""
    from calmkb.kb.memories.memories import retrieve_memories

    found = retrieve_memories(listed_kb(context), query, limit=limit)
    if as_json:
        rows = [
            fields_named(one.memory, "id", "category", "scope", "text")
            | {"similarity": round(one.similarity, 4)}
            for one in found
        ]
        print_json({"memories": rows, "count": len(rows)})
        return
    click.echo("\n".join(f"{item.similarity:.2f}  {line(item.memory)}" for item in found)
               or "No memories found.")  # fmt: skip


@memory.command()
@click.argument("id")
@click.argument("verdict", type=click.Choice((*HELPED, KEPT)))
@click.option("--note", default="", help="What it did.")
@click.pass_context
def feedback(context: click.Context, id: str, verdict: str, note: str) -> None:  # noqa: A002
    """Record whether a memory helped; kept: a stale one is right, and not listed for a while."""
    from calmkb.cli.base.person import no_person_because, require_person
    from calmkb.kb.memories.memories import record_feedback

    if verdict == KEPT:
        require_person(context, "what is kept", "show it: calmkb memory report --stale")
    who = "agent" if no_person_because(context) else ""
    counts = record_feedback(kb_from(context), id, verdict, note=note, given_by=who)
    click.echo(f"{counts.helpful} helpful, {counts.harmful} harmful")


def line(item: Memory) -> str:
    """Return a memory as one visible line."""
    text = visible(" ".join(item.text.split()))
    return f"{item.id[:8]}  {item.category:10}  {visible(item.scope)}: {text}"


def row(item: "MemoryStatus") -> dict[str, object]:
    """Return a memory, its confidence and its feedback, for JSON."""
    memory = item.memory
    return {
        **fields_named(memory, "id", "category", "importance", "confidence"),
        "standing": round(item.standing.value, 4),
        "confidence_now": item.standing.word,
        **fields_named(memory, "scope", "paths", "text", "created_at", "approved_by"),
        "committed_by": item.approval.committed_by,
        "approval_differs": item.approval.differs,
        "helpful": item.counts.helpful,
        "harmful": item.counts.harmful,
        "replaced_by": item.replaced_by or None,
        "in_conflict": item.in_conflict,
    }


def _table_line(item: "MemoryStatus") -> str:
    """Return a memory's line, cut to a terminal's width and whole in a pipe, and its notes."""
    memory = item.memory
    facts = f"{memory.id[:8]}  {memory.created_at:%Y-%m-%d}  {memory.category:10}  "
    facts += f"{item.standing.word:10}  "
    text = f"{memory.scope}: {memory.text}"
    room = terminal_width() - len(facts) if sys.stdout.isatty() else len(text)
    notes = "; ".join(_notes(item))
    return facts + clip(text, room) + (f"\n{'':10}{notes}" if notes else "")


def _notes(item: "MemoryStatus") -> list[str]:
    counts = item.counts
    notes = [f"in conflict: calmkb memory resolve {item.memory.id[:8]}"] if item.in_conflict else []
    notes += [f"replaced by {item.replaced_by[:8]}"] if item.replaced_by else []
    notes += [visible(item.approval.words)] if item.approval.differs else []
    if counts.helpful or counts.harmful:
        notes.append(f"{counts.helpful} helpful, {counts.harmful} harmful")
    return notes
