"""`calmkb memory`: approved memories."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, listed_kb
from calmkb.cli.base.completing import memory_ids
from calmkb.cli.base.json_io import json_option, print_json
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import visible
from calmkb.model import CATEGORIES, HELPED, Memory

if TYPE_CHECKING:
    from calmkb.kb.memories.show import MemoryStatus

COMMANDS = {
    "show": ("calmkb.cli.memory.show:show", "Show a memory, its confidence and feedback."),
    "history": ("calmkb.cli.memory.show:history", "Show every version of a memory in git."),
    "add": ("calmkb.cli.memory.change:add", "Add a memory of your own."),
    "edit": ("calmkb.cli.memory.change:edit", "Edit a memory; its id stays."),
    "merge": ("calmkb.cli.memory.change:merge", "Merge one memory into another."),
    "retire": ("calmkb.cli.memory.change:retire", "Delete a memory; git keeps its history."),
    "enforce": ("calmkb.cli.memory.enforce:enforce", "Hold agents to a memory: warn or block."),
    "review": ("calmkb.cli.memory.review:review", "Review stale memories."),
}  # fmt: skip


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
        click.echo("\n".join(line(item.memory) + _notes(item) for item in found))


@memory.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@click.pass_context
def find(context: click.Context, query: str, limit: int) -> None:
    """Find the memories most similar to a text."""
    from calmkb.kb.memories.memories import retrieve_memories

    found = retrieve_memories(listed_kb(context), query, limit=limit)
    click.echo("\n".join(f"{item.similarity:.2f}  {line(item.memory)}" for item in found)
               or "No memories found.")  # fmt: skip


@memory.command()
@click.argument("id", shell_complete=memory_ids)
@click.argument("verdict", type=click.Choice(HELPED))
@click.option("--note", default="", help="What it did.")
@click.pass_context
def feedback(context: click.Context, id: str, verdict: str, note: str) -> None:  # noqa: A002
    """Record whether a memory helped."""
    from calmkb.cli.base.person import no_person_because
    from calmkb.kb.memories.feedback import record_feedback

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
        "id": memory.id,
        "category": memory.category,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "standing": round(item.standing.value, 4),
        "confidence_now": item.standing.word,
        "scope": memory.scope,
        "paths": list(memory.paths),
        "text": memory.text,
        "created_at": memory.created_at.isoformat(),
        "approved_by": memory.approved_by,
        "committed_by": item.approval.committed_by,
        "approval_differs": item.approval.differs,
        "helpful": item.counts.helpful,
        "harmful": item.counts.harmful,
    }


def _notes(item: "MemoryStatus") -> str:
    counts = item.counts
    notes = [visible(item.approval.words)] if item.approval.differs else []
    if counts.helpful or counts.harmful:
        notes.append(f"{counts.helpful} helpful, {counts.harmful} harmful")
    return f"  ({'; '.join(notes)})" if notes else ""
