"""`calmkb why FILE[:LINE]`: the commit, the session and the words behind a line."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_text
from calmkb.cli.base.text import clip, terminal_width, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calmkb.wings.archive.verbs.why import Reason, Why

_UNKNOWN = "No kept session is known to have made it."
_UNKEPT = "No session is kept, so none is known to have made it: calmkb agents keep"
_PLACE = re.compile(r"(?P<file>.+?)(?::(?P<line>[1-9]\d{0,8}))?")


@click.command()
@click.argument("place", metavar="FILE[:LINE]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def why(context: click.Context, place: str, as_json: bool) -> None:
    """Show which commit and session a line is from, and the words that decided it.

    The session is known by the commits that its transcript shows, or by the commit's trailers.
    Sessions are kept by `calmkb agents keep`. Memories about the file are named too.
    """
    from calmkb.wings.archive.verbs.why import why as find

    found = _PLACE.fullmatch(place)
    file, line = (found["file"], int(found["line"] or 0)) if found else (place, 0)
    answer = find(kb_from(context), Path(file), line)
    if as_json:
        click.echo(json_text(_row(answer)))
    else:
        click.echo("\n".join(_lines(answer)))


def _lines(answer: "Why") -> "Iterator[str]":
    from calmkb.cli.journal.moments import session_lines

    place = f"{answer.path}:{answer.line}" if answer.line else answer.path
    yield f"{visible(place)}  {visible(answer.text)}".rstrip()
    for reason in answer.reasons:
        yield from _reason_lines(reason, answer.text)
    if answer.others:
        yield "\nKept sessions that changed it, whose commits are not known:"
        for other in answer.others:
            yield session_lines([other], answer.text)
    if not answer.others and not any(one.session or one.entry for one in answer.reasons):
        yield f"\n{_UNKNOWN if answer.looked else _UNKEPT}"
    if answer.memories:
        yield "\nMemories about it:"
        for memory in answer.memories:
            yield f"  {memory.id[:8]}  {clip(memory.text, terminal_width() - 12)}"


def _reason_lines(reason: "Reason", text: str) -> "Iterator[str]":
    from calmkb.cli.journal.moments import session_lines

    yield f"\ncommit {reason.commit.id[:12]}  {visible(reason.commit.subject)}"
    if reason.entry:
        entry = reason.entry.entry
        yield f"entry {entry.id[:8]}  {clip(entry.title or entry.summary, terminal_width() - 16)}"
    if reason.session:
        yield session_lines([reason.session], text)


def _row(answer: "Why") -> dict[str, Any]:
    from calmkb.cli.journal.moments import session_row

    return {
        "path": answer.path, "line": answer.line or None, "text": answer.text,
        "commits": [
            {"id": one.commit.id, "subject": one.commit.subject,
             "entry": one.entry.entry.id if one.entry else None,
             "session": session_row(one.session) if one.session else None}
            for one in answer.reasons
        ],
        "other_sessions": [session_row(one) for one in answer.others],
        "memories": [{"id": one.id, "text": one.text} for one in answer.memories],
    }  # fmt: skip
