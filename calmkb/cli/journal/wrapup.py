"""`calmkb wrapup`: say what happened, or let the transcript say it."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.json_io import json_text
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.text import bullet, clip, from_home, visible
from calmkb.cli.journal.given_entry import GIVEN, fields_of, read_given
from calmkb.errors import CalmError, TranscriptError
from calmkb.model import CONTENT, Draft, SessionContent

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.journal.wrapup import WrappedUp

_SESSION = ("agent", "session_id")
T = TypeVar("T", bound=Callable[..., Any])


def _content_options(command: T) -> T:
    """Add an option for each field of a session's content that has one."""
    for name, spec in reversed(GIVEN.items()):
        if spec.option:
            many = spec.kind == "items"
            text = f"{spec.help.rstrip('.')}; may be repeated." if many else spec.help
            option = click.option(spec.option, name, multiple=many, metavar=spec.metavar, help=text)
            command = option(command)
    return command


@click.command()
@click.argument("mode", required=False, type=click.Choice(["continue"]))
@_content_options
@click.option("--log", metavar="FILE|latest|none", help="The raw log to keep on this machine.")
@click.option("--from-transcript", type=click.Path(path_type=Path), metavar="FILE",
              help="Draft all of it from a transcript, and do not ask.")  # fmt: skip
@click.option("--draft", "only_draft", is_flag=True,
              help="Print a draft of the last session here without an entry.")  # fmt: skip
@click.option("--with", "writer", metavar="claude|codex|gemini|COMMAND",
              help="Have a program write the draft; it gets the session, filtered.")  # fmt: skip
@click.option("--markdown", metavar="-|FILE",
              help="Read the entry as Markdown, a `## ` heading for each section.")  # fmt: skip
@click.option("--json", "as_json", is_flag=False, flag_value="", metavar="[-|FILE]",
              help="Print JSON; with - or a FILE, read the entry as JSON from there.")  # fmt: skip
@click.pass_context
def wrapup(context: click.Context, /, mode: str | None, as_json: str | None, **given: Any) -> None:
    """Commit this session as a journal entry.

    With `continue`, the session is marked as unfinished and needs a next step. With nothing said
    and at a terminal, a draft of the last session here that has no entry is shown: keep it as it
    is, edit it, or drop it. Where all have one, the last is named, and you may write a better one.
    """
    from calmkb.kb.journal.agent_session import calling_session, with_session
    from calmkb.kb.journal.session_commits import commits_made
    from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up

    kb = kb_from(context)
    if given["only_draft"]:
        click.echo(_printed_draft(kb))
        return
    fields = read_given(given, as_json)
    fields["needs_continuation"] = mode == "continue" or fields.get("needs_continuation", False)
    if given["from_transcript"] is None:
        known = with_session(SessionContent(**fields), calling_session(kb.environment.env))
        fields |= {name: value for name in _SESSION if (value := getattr(known, name))}
    path, note = _transcript(kb, fields, given["from_transcript"], as_json is not None)
    log = _log(kb, given["log"], path, fields)
    if path or "summary" not in fields:
        ask = given["from_transcript"] is None
        drafted = _from_transcript(kb, path, note, ask=ask, writer=given["writer"])
        if drafted is None:
            return
        has_words = any(fields.get(name) for name, spec in CONTENT.items() if spec.is_section)
        unread = given["from_transcript"] and not (given["writer"] or has_words)
        if "friction_points" in fields:  # the caller's: no draft says who said them
            drafted.pop("said", None)
        fields = drafted | fields | {"drafted": bool(unread)}
    fields["commits"] = commits_made(kb, WrapUp(**fields))
    kb, made = prepare(kb, WrapUp(**fields, log=log))
    wrap_up(kb, made, partial(_answer, context, kb, as_json is not None))


def _answer(context: click.Context, kb: "KnowledgeBase", as_json: bool, done: "WrappedUp") -> None:
    """Print what was written, after what to be warned of."""
    from calmkb.kb.base.filtering import filter_notes
    from calmkb.kb.project.misplaced_write import misplaced_write

    warn(done.warning)
    warn(misplaced_write(kb, option=context.find_root().params.get("kb")))
    for note in filter_notes(kb):
        warn(note)
    path = str(done.log_path) if done.log_path else None
    found = json_text({"id": done.entry.id, "session_log_path": path})
    click.echo(found if as_json else _report(kb, done))


def _transcript(
    kb: "KnowledgeBase", fields: dict[str, Any], named: Path | None, quiet: bool
) -> tuple[Path | None, str]:
    """Return the transcript to draft from, or None and why none is found.

    Where a summary was given none is looked for.
    """
    if named or "summary" in fields:
        return named, ""
    from calmkb.kb.journal.raw_log import unwrapped_transcript
    from calmkb.kb.signals.signals import fresh_store

    if quiet or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CalmError("a wrap-up needs a summary; give --summary TEXT or --from-transcript FILE")
    fresh_store(kb.environment)  # the end of the last session may still be queued
    try:
        folder, session = fields.get("working_directory", ""), fields.get("session_id", "")
        return unwrapped_transcript(kb, folder, session_id=session), ""
    except TranscriptError as error:
        return None, str(error)


def _from_transcript(
    kb: "KnowledgeBase", path: Path | None, note: str, *, ask: bool, writer: str | None
) -> dict[str, Any] | None:
    """Return what the transcript says, after the user's look at it where `ask` is set.

    Without one the user writes it, below the `note` on why. None where the user drops the session,
    or keeps the entry that it has.
    """
    from calmkb.kb.journal.raw_log import draft_from
    from calmkb.kb.journal.unwrapped import drop_unwrapped

    draft = draft_from(kb, path, shown=ask) if path else Draft()
    if draft.broken_lines:
        warn(f"{path}: {len(draft.broken_lines)} lines could not be read and were left out")
    if ask and path and not _goes_on(kb, draft):
        drop_unwrapped(kb, draft.session_id)
        click.echo("Nothing was written.")
        return None
    if writer and path:
        draft = _written(kb, path, draft, writer)
    if ask:
        from calmkb.cli.base.editor import edit_draft, keep_draft

        kept = keep_draft(draft) if path else edit_draft(draft, note)
        if kept is None:
            drop_unwrapped(kb, draft.session_id)
            click.echo("Nothing was written, and this session is not offered again.")
            return None
        draft = kept
    return fields_of(draft) | {"ended_at": draft.ended_at}


def _goes_on(kb: "KnowledgeBase", draft: Draft) -> bool:
    """Return whether a draft is to be shown: where its session has an entry, a person is asked."""
    from calmkb.kb.journal.sessions import entry_of_session

    entry = entry_of_session(kb, draft.agent, draft.session_id)
    if entry is None:
        return True
    title = clip(entry.title or entry.summary, 60)
    question = (
        f"The session of {entry.created_at:%Y-%m-%d %H:%M} ({title}) has the entry "
        f"{entry.id[:8]}. Write a better one in its place?"
    )
    return confirm(hanging(question), default=False)


def _written(kb: "KnowledgeBase", path: Path, draft: Draft, name: str) -> Draft:
    """Return the draft in a program's words, its cost told first."""
    from calmkb.kb.journal.writing import cost_notice, writer_named, written_draft

    writer = writer_named(name)
    click.echo(cost_notice(kb, writer), err=True)
    return written_draft(kb, writer, path, draft)


def _printed_draft(kb: "KnowledgeBase") -> str:
    """Return the draft as Markdown, headed by a comment that names its session."""
    from calmkb.kb.journal.draft_text import draft_as_text
    from calmkb.kb.journal.raw_log import draft_from, unwrapped_transcript
    from calmkb.kb.signals.signals import fresh_store

    fresh_store(kb.environment)  # the end of the last session may still be queued
    draft = draft_from(kb, unwrapped_transcript(kb))
    return f"# Session {draft.session_id} of {draft.agent}\n\n{visible(draft_as_text(draft))}"


def _log(
    kb: "KnowledgeBase", choice: str | None, transcript: Path | None, fields: dict[str, Any]
) -> bytes | None:
    """Return the raw log to keep: the one chosen, that drafted from, else the caller's own."""
    from calmkb.kb.journal.agent_session import calling_session
    from calmkb.kb.journal.raw_log import log_at, session_log

    if choice is None and transcript is None:
        session = calling_session(kb.environment.env).session_id
        own = session and session == fields.get("session_id")
        return session_log(kb, session).content if own else None
    if choice == "none":
        return None
    if choice == "latest":
        found = session_log(kb, fields.get("session_id", ""), fields.get("working_directory", ""))
    else:
        found = log_at(Path(choice or transcript or ""))
    warn(found.note)
    return found.content


def _report(kb: "KnowledgeBase", done: "WrappedUp") -> str:
    entry = done.entry
    lines = [f"Made a knowledge base in {from_home(kb.root)}\n"] if kb.made else []
    lines += ["## Session Wrapped Up\n", f"**Summary**: {entry.summary}\n"]
    for name, spec in CONTENT.items():
        if spec.kind == "items" and (items := getattr(entry, name)):
            lines += [f"**{spec.label.title()}**:", *map(bullet, items), ""]
    lines.append(f"Journal entry saved: {entry.id}")
    return "\n".join(lines)
