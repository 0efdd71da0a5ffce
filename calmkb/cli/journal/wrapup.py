"""`calmkb wrapup`: say what happened, or let the transcript say it."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.editor import edit_draft
from calmkb.cli.base.json_input import place_of, read_json
from calmkb.errors import CalmError, TranscriptError
from calmkb.model import Draft

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.journal.wrapup import WrappedUp

_TEXTS = ("summary", "project_name", "working_directory", "agent", "session_id")
_LISTS = ("friction_points", "next_steps")


@click.command()
@click.argument("mode", required=False, type=click.Choice(["continue"]))
@click.option("--summary", help="What was done, in two or three sentences.")
@click.option("--friction", multiple=True, help="A problem, blocker or surprise; may be repeated.")
@click.option("--next", "next_steps", multiple=True, help="A next step; may be repeated.")
@click.option("--project", help="The project's name; else the last part of the folder.")
@click.option("--working-directory", metavar="FOLDER", help="Where the session worked; else here.")
@click.option("--agent", help="Who worked, such as claude-code; empty for a person.")
@click.option("--session-id", help="The agent's own id of the session.")
@click.option("--log", metavar="FILE|latest|none", help="The raw log to keep on this machine.")
@click.option("--from-transcript", type=click.Path(path_type=Path), metavar="FILE",
              help="Draft all of it from a transcript, and do not ask.")  # fmt: skip
@click.option("--json", "as_json", is_flag=False, flag_value="", metavar="[-|FILE]",
              help="Print JSON; with - or a FILE, read the entry as JSON from there.")  # fmt: skip
@click.pass_context
def wrapup(context: click.Context, /, mode: str | None, as_json: str | None, **given: Any) -> None:
    """Commit this session as a journal entry.

    With `continue`, the session is marked as unfinished and needs a next step. With nothing said
    and at a terminal, your editor opens on a draft made from the newest session of this folder.
    """
    from calmkb.kb.journal.wrapup import WrapUp, wrap_up
    from calmkb.kb.project.elsewhere import went_elsewhere

    kb = kb_from(context)
    said = _options(given)
    if as_json:
        said = _read_json(as_json) | said
    said["needs_continuation"] = mode == "continue" or said.get("needs_continuation", False)
    path = _transcript(kb, said, given["from_transcript"], as_json is not None)
    if path or "summary" not in said:
        said = _from_transcript(kb, path, ask=given["from_transcript"] is None) | said
    log = _log(kb, given["log"], path, said.get("working_directory", ""))
    done = wrap_up(kb, WrapUp(**said, log=log))
    warn(done.warning)
    warn(went_elsewhere(done.kb, option=context.find_root().params.get("kb")))
    _warn_of_exempt_values(done.kb)
    if as_json is not None:
        click.echo(json.dumps({"id": done.entry.id, "session_log_path": _text(done.log_path)}))
    else:
        click.echo(_report(done))


def _warn_of_exempt_values(kb: "KnowledgeBase") -> None:
    """Name what the secret filter lets through, or was asked to and did not."""
    if kb.config.redact.allow:
        from calmkb.kb.base.filtering import filter_notes

        for note in filter_notes(kb):
            warn(note)


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """Return what was said by options, under the names that an entry has."""
    named = {
        "summary": given["summary"],
        "friction_points": given["friction"] or None,
        "next_steps": given["next_steps"] or None,
        "project_name": given["project"],
        "working_directory": given["working_directory"],
        "agent": given["agent"],
        "session_id": given["session_id"],
    }
    return {key: value for key, value in named.items() if value is not None}


def _read_json(source: str) -> dict[str, Any]:
    """Return the entry in a JSON object, each field of the wrong kind named."""
    value = read_json(source)
    if not isinstance(value, dict):
        raise CalmError(f"{place_of(source)} must hold a JSON object with at least a summary")
    return {key: _checked(key, item) for key, item in value.items() if item is not None}


def _checked(key: str, item: object) -> object:
    if key in _TEXTS and isinstance(item, str):
        return item
    if key in _LISTS and isinstance(item, list) and all(isinstance(x, str) for x in item):
        return tuple(item)
    if key == "needs_continuation" and isinstance(item, bool):
        return item
    if key in (*_TEXTS, *_LISTS, "needs_continuation"):
        kind = "text" if key in _TEXTS else "a list of text" if key in _LISTS else "true or false"
        raise CalmError(f"{key} must be {kind}, not {json.dumps(item)[:60]}")
    choices = ", ".join((*_TEXTS, *_LISTS, "needs_continuation"))
    raise CalmError(f"{key!r} is not a field of an entry; choose from: {choices}")


def _transcript(
    kb: "KnowledgeBase", said: dict[str, Any], named: Path | None, quiet: bool
) -> Path | None:
    """Return the transcript to draft from; None where a summary was given, or none is found."""
    from calmkb.kb.journal.wrapup import latest_transcript

    if named or "summary" in said:
        return named
    if quiet or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CalmError("a wrap-up needs a summary; give --summary TEXT or --from-transcript FILE")
    try:
        return latest_transcript(kb, said.get("working_directory", ""))
    except TranscriptError as error:
        warn(str(error))
        return None


def _from_transcript(kb: "KnowledgeBase", path: Path | None, *, ask: bool) -> dict[str, Any]:
    """Return what the transcript says, after the user's look at it where `ask` is set."""
    from calmkb.kb.journal.wrapup import draft_from

    draft = draft_from(kb, path) if path else Draft(summary="")
    if draft.broken_lines:
        warn(f"{path}: {len(draft.broken_lines)} lines could not be read and were left out")
    if ask:
        draft = edit_draft(draft)
    names = (*_TEXTS, *_LISTS, "files")
    said = {name: value for name in names if (value := getattr(draft, name, None))}
    return said if ask else said | {"ended_at": draft.ended_at}


def _log(
    kb: "KnowledgeBase", choice: str | None, transcript: Path | None, folder: str
) -> bytes | None:
    """Return the raw log to keep: the one chosen, else the transcript that was drafted from."""
    from calmkb.kb.journal.wrapup import latest_transcript, read_log

    if choice == "none" or (choice is None and transcript is None):
        return None
    path = latest_transcript(kb, folder) if choice == "latest" else Path(choice or transcript or "")
    return read_log(path)


def _report(done: "WrappedUp") -> str:
    entry = done.entry
    lines = [f"Made a knowledge base in {done.kb.root}\n"] if done.kb.made else []
    lines += ["## Session Wrapped Up\n", f"**Summary**: {entry.summary}\n"]
    for heading, items in (("Friction Points", entry.friction_points),
                           ("Next Steps", entry.next_steps)):  # fmt: skip
        if items:
            lines += [f"**{heading}**:", *(f"- {item}" for item in items), ""]
    lines.append(f"Journal entry saved: {entry.id}")
    return "\n".join(lines)


def _text(path: Path | None) -> str | None:
    return str(path) if path else None
