"""`calmkb memory`: what was approved, by hand."""

import json

import click

from calmkb.cli.common import kb_from
from calmkb.model import CATEGORIES, HELPED, Memory
from calmkb.redact.invisible import show_invisible


@click.group()
def memory() -> None:
    """List, find, add, judge and retire memories."""


@memory.command("list")
@click.option("--category", type=click.Choice(CATEGORIES))
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_command(context: click.Context, category: str | None, limit: int, as_json: bool) -> None:
    """List memories, newest first."""
    from calmkb.kb.memories import list_memories

    found = list_memories(kb_from(context), category=category, limit=limit)
    if as_json:
        click.echo(json.dumps([_row(item) for item in found], ensure_ascii=False))
    elif not found:
        click.echo("No memories found.")
    else:
        click.echo("\n".join(_line(item) for item in found))


@memory.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@click.pass_context
def find(context: click.Context, query: str, limit: int) -> None:
    """Find the memories most like a text."""
    from calmkb.kb.memories import retrieve_memories

    found = retrieve_memories(kb_from(context), query, limit=limit)
    click.echo("\n".join(f"{item.similarity:.2f}  {_line(item.memory)}" for item in found)
               or "No memories found.")  # fmt: skip


@memory.command()
@click.argument("text")
@click.option("--category", type=click.Choice(CATEGORIES), required=True)
@click.option("--importance", type=click.FloatRange(0, 1), default=0.5, show_default=True)
@click.option("--scope", default="global", show_default=True, help="A project, or global.")
@click.option("--tag", "tags", multiple=True)
@click.pass_context
def add(
    context: click.Context,
    text: str,
    category: str,
    importance: float,
    scope: str,
    tags: tuple[str, ...],
) -> None:
    """Add a memory of your own."""
    from calmkb.kb.memories import store_memory

    kept = store_memory(
        kb_from(context), text, category, importance=importance, tags=tags, scope=scope,
        origin="person",
    )  # fmt: skip
    click.echo(f"Memory saved: {kept.id}")


@memory.command()
@click.argument("id")
@click.pass_context
def retire(context: click.Context, id: str) -> None:  # noqa: A002
    """Take a memory out; git keeps its history."""
    from calmkb.kb.feedback import find_memory
    from calmkb.kb.memories import delete_memory

    kb = kb_from(context)
    gone = delete_memory(kb, find_memory(kb, id).id)
    click.echo(f"Retired {gone.id}: {show_invisible(gone.text)}")


@memory.command()
@click.argument("id")
@click.argument("verdict", type=click.Choice(HELPED))
@click.option("--note", default="", help="What it did.")
@click.pass_context
def feedback(context: click.Context, id: str, verdict: str, note: str) -> None:  # noqa: A002
    """Say whether a memory helped."""
    from calmkb.kb.feedback import record_feedback

    counts = record_feedback(kb_from(context), id, verdict, note=note)
    click.echo(f"{counts.helpful} helpful, {counts.harmful} harmful")


def _line(item: Memory) -> str:
    text = show_invisible(" ".join(item.text.split()))
    return f"{item.id[:8]}  {item.category:10}  {item.scope}: {text}"


def _row(item: Memory) -> dict[str, object]:
    return {
        "id": item.id,
        "category": item.category,
        "importance": item.importance,
        "confidence": item.confidence,
        "scope": item.scope,
        "text": item.text,
        "created_at": item.created_at.isoformat(),
        "approved_by": item.approved_by,
    }
