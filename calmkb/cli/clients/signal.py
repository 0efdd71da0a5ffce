"""`calmkb signal`: captured signals, in and out as JSON."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import warn_of_problems
from calmkb.cli.base.json_io import print_value
from calmkb.cli.base.text import visible
from calmkb.errors import RecordError
from calmkb.kb.base.environment import process_environment
from calmkb.model import SIGNAL_STATUSES, SIGNAL_TYPES

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.signals.signals import SignalStore
    from calmkb.model import Signal

_STATUS = click.option("--status", type=click.Choice(SIGNAL_STATUSES))


@click.group()
def signal() -> None:
    """Add, query and update captured signals."""


@signal.command()
@click.argument("entry", metavar="[JSON|-]", default="-")
def append(entry: str) -> None:
    """Add a signal, given as JSON or on standard input; print the complete entry."""
    from calmkb.kb.journal.agent_session import calling_session
    from calmkb.kb.signals.signals import signal_store

    environment = process_environment()
    text = sys.stdin.buffer.read().decode(errors="replace") if entry == "-" else entry
    fields = {"session_id": calling_session(environment.env).session_id} | _object(text)
    kept = signal_store(environment).append(fields, now=environment.now())
    print_value(_row(kept))


@signal.command()
@click.argument("id")
def get(id: str) -> None:  # noqa: A002
    """Print one signal."""
    print_value(_row(_store().get(id)))


@signal.command(context_settings={"allow_extra_args": True})
@_STATUS
@click.option("--type", "kind", type=click.Choice(SIGNAL_TYPES))
@click.option("--session", help="Only this agent session.")
@click.option("--since", metavar="TIME", help="Only from this date or time on (UTC).")
@click.option("--tags", metavar="TAG...", help="Only signals with all of these tags.")
@click.pass_context
def query(
    context: click.Context, /, status: str | None, kind: str | None, session: str | None,
    since: str | None, tags: str | None,
) -> None:  # fmt: skip
    """Print the signals that match, oldest first."""
    from calmkb.kb.signals.signals import parse_since

    start = parse_since(since) if since else None
    if context.args and tags is None:
        raise click.UsageError(f"{context.args[0]!r} follows no option; give words after --tags")
    given = ",".join([tags or "", *context.args])
    required = [tag.strip() for tag in given.split(",") if tag.strip()]
    store = _store()
    found = store.query(status=status, type=kind, session=session, since=start, tags=required)
    print_value([_row(one) for one in found])
    warn_of_problems(store.problems())


@signal.command()
@click.argument("id")
@click.argument("changes", metavar="JSON")
def update(id: str, changes: str) -> None:  # noqa: A002
    """Change fields of a signal; print the complete entry."""
    print_value(_row(_store().update(id, _object(changes))))


@signal.command()
@click.option("--format", "form", type=click.Choice(["json", "statusline"]), default="json")
def stats(form: str) -> None:
    """Count the signals by status, type and category."""
    from calmkb.kb.status import signals_part

    store = _store()
    counts = store.stats()
    if form == "json":
        print_value(counts)
        warn_of_problems(store.problems())
    elif part := signals_part(store.folder):
        click.echo(part)


@signal.command()
@click.option("--days", type=click.IntRange(min=0), default=14, show_default=True)
@_STATUS
def archive(days: int, status: str | None) -> None:
    """Remove old signals, except promoted and confirmed ones."""
    removed = _store().archive(days=days, status=status, now=process_environment().now())
    print_value({"removed": removed})


@signal.command()
@click.argument("id")
@click.argument("target")
@click.argument("content")
def promote(id: str, target: str, content: str) -> None:  # noqa: A002
    """Record that a signal became CONTENT in TARGET; print the learning's id."""
    store = _store()
    learning = store.promote(id, target, content)
    print_value({"learning": learning, "id": id, "promoted_to": store.get(id).promoted_to})


def page(kb: "KnowledgeBase", name: str, detail: object) -> "Page | None":
    """Return a signal, as `show` shows it."""
    if not name.upper().startswith("SIG-"):
        return None
    from calmkb.kb.signals.signals import fresh_store

    found = _row(fresh_store(kb.environment).get(name.upper()))
    text = json.dumps(found, ensure_ascii=False, indent=2)
    return {"kind": "signal", **found}, visible(text)


def _row(signal: "Signal") -> dict[str, Any]:
    from calmkb.kb.signals.signals import row

    return row(signal)


def _store() -> "SignalStore":
    from calmkb.kb.signals.signals import fresh_store

    return fresh_store(process_environment())


def _object(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON ({error}); give an object like "
                          '{"type": "correction", "content": "…"}') from error  # fmt: skip
    if not isinstance(values, dict):
        raise RecordError('give a JSON object like {"type": "correction", "content": "…"}')
    return values
