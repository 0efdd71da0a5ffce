"""What a client asks at the end of a turn: whether the session has work that is in no entry.

Two edits, a commit, or one edit in five minutes: chosen on three teams, where 301 of 318 sessions
in which a file was edited, a commit made or the agent corrected are asked, and none of 6 others.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from calmkb.capture.hooks.commands import EDIT_TOOLS, WORK, asking_command
from calmkb.capture.hooks.payload import text_of
from calmkb.capture.hooks.transcripts import is_automated
from calmkb.capture.settings.hooks import Hook, stop_hook
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.hooks.answer import HookAnswer
from calmkb.kb.hooks.toggle import SettingsChange, absent_hooks, switch_wanted
from calmkb.model.words import clip, counted
from calmkb.redact.invisible import strip_invisible
from calmkb.store.index.queries import Found, current_entry
from calmkb.store.signals.pending import parse_object
from calmkb.system.files import make_private_folder, write_atomically

TASK = "WrapupCheck"
_AGENT, _FOLDER = "claude-code", "asked"
_LIMIT = 16 * 1024 * 1024
_EDITS, _LASTING, _GAP = 2, 5 * 60, 20 * 60
"""Edits that are work, seconds of a session in which one is enough, and between two questions."""
_HEAD, _SHOWN = 50, 80
KEPT_DAYS = 90
"""For how long it is known which sessions had work."""
_WORK = re.compile(WORK.encode())
WORDS = """\
calmkb: the journal has no entry yet for {work} of this session. Wrap the session up now, once, with
calmkb's `store_journal_entry`, or with `calmkb wrapup --agent claude-code --markdown -`:
- a summary: two or three sentences on what was done and its state;
- friction points: problems, blockers and surprises, a sentence each, with cause and fix;
- next steps, a sentence each;
- learnings, at most five: what a new session of this project should know weeks from now.
Only what happened, no secrets; leave out what there is none of. Then stop, without a report."""


@dataclass(frozen=True, slots=True)
class Work:
    """An edit or a commit of the agent; `at` in seconds since 1970, 0 where the log has no time."""

    at: float
    is_commit: bool


@dataclass(frozen=True, slots=True)
class Shares:
    """Sessions with work on this machine, those with a written entry, and those of them asked."""

    sessions: int
    written: int
    asked: int


def is_on(environment: Environment) -> bool:
    """Return whether agents on this machine are asked for their wrap-ups."""
    return (environment.own / _FOLDER).is_dir()


def switch_asking(environment: Environment, *, on: bool) -> SettingsChange:
    """Have agents asked, or not: the hook is put into the person's settings, or taken out."""
    if on:
        make_private_folder(environment.own / _FOLDER)
    elif is_on(environment):
        shutil.rmtree(environment.own / _FOLDER)
    return switch_wanted(environment, [TASK])


def lacks_hook(environment: Environment) -> bool:
    """Return whether agents are to be asked, and the hook is not in the person's settings."""
    return is_on(environment) and absent_hooks(environment)


def wanted(environment: Environment, program: str) -> dict[str, Hook]:
    """Return the hook by its task, where a person has switched this on."""
    if not is_on(environment):
        return {}
    return {TASK: stop_hook(asking_command(TASK, program))}


def shares(kb: KnowledgeBase) -> Shares:
    """Return how many of the sessions of the last 90 days in a knowledge base were wrapped up."""
    from calmkb.model.sessions.entries import imported_id  # 10 ms that a hook does without

    root, asked = f"\n{kb.root}\n", dict[str, float]()
    for note in (kb.environment.own / _FOLDER).glob("*.jsonl"):
        if note.read_text("utf-8", "surrogateescape").endswith(root):
            asked[note.stem] = note.stat().st_mtime
    entries = kb.with_index(lambda index: [current_entry(index, _AGENT, one) for one in asked])
    pairs = zip(entries, asked.items(), strict=True)
    written = [at > 0 for found, (session, at) in pairs
               if found and found.fields["id"] != imported_id(_AGENT, session)]  # fmt: skip
    return Shares(len(asked), len(written), sum(written))


def answer(environment: Environment, stream: BinaryIO) -> HookAnswer:
    """Return what the agent is asked as its turn ends, or what the person is told was written."""
    payload = parse_object(stream.read(_LIMIT)) or {}
    log = Path(text_of(payload, "transcript_path"))
    if not is_on(environment) or environment.env.get("CI") or is_automated(log):
        return HookAnswer()
    folder = Path(text_of(payload, "cwd") or environment.cwd)
    kb = open_kb(replace(environment, cwd=folder), option=None)
    if kb.is_personal or not kb.root.is_dir() or not log.is_file():
        return HookAnswer()
    note = environment.own / _FOLDER / log.name
    asked = note.stat().st_mtime if note.is_file() else 0.0
    session = text_of(payload, "session_id")
    entry = kb.with_index(lambda index: current_entry(index, _AGENT, session))
    written = _written(entry) if entry else 0.0
    if payload.get("stop_hook_active"):
        return HookAnswer(message=_told(entry) if entry and written >= int(asked) > 0 else "")
    now, (lines, found) = environment.now().timestamp(), _work(log)
    new = [one for one in found if one.at > max(asked, written)]
    lasting = now - max(asked, written, _began(log)) >= _LASTING
    asks = now - asked >= _GAP and _is_enough(new, lasting=lasting)
    if not note.exists():
        _forget_old(note.parent, now)
    write_atomically(note, os.fsencode(f"{lines}\n{kb.root}\n"), mode=0o600)
    os.utime(note, (now, now) if asks else (asked, asked))
    return HookAnswer(WORDS.format(work=_in_words(new)) if asks else "")


def _forget_old(folder: Path, now: float) -> None:
    for note in folder.glob("*.jsonl"):
        if now - note.stat().st_ctime > KEPT_DAYS * 24 * 3600:
            note.unlink(missing_ok=True)


def _written(entry: Found) -> float:
    return datetime.fromisoformat(entry.fields["created_at"]).timestamp()


def _work(log: Path) -> tuple[int, list[Work]]:
    """Return how many lines of a log the shell counts, and the work of the session's own agent."""
    lines, found = 0, list[Work]()
    with log.open("rb") as file:
        for line in file:
            if _WORK.search(line):
                lines += 1
                found += _works(parse_object(line) or {})
    return lines, found


def _works(row: Mapping[str, Any]) -> Iterator[Work]:
    message = row.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    if row.get("isSidechain") or row.get("type") != "assistant" or not isinstance(blocks, list):
        return
    for block in blocks:
        given = block.get("input") if isinstance(block, dict) else None
        if not isinstance(given, dict) or block.get("type") != "tool_use":
            continue
        commits = "git commit" in text_of(given, "command")
        if commits or block.get("name") in EDIT_TOOLS:
            yield Work(_time(text_of(row, "timestamp")), commits)


def _time(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0


def _began(log: Path) -> float:
    """Return when a session began, by the first line of its log with a time."""
    with log.open("rb") as file:
        rows = filter(None, map(parse_object, islice(file, _HEAD)))
        return next((at for row in rows if (at := _time(text_of(row, "timestamp")))), 0.0)


def _is_enough(new: Sequence[Work], *, lasting: bool) -> bool:
    return len(new) >= (1 if lasting else _EDITS) or any(one.is_commit for one in new)


def _in_words(new: Sequence[Work]) -> str:
    commits = sum(one.is_commit for one in new)
    parts = [(len(new) - commits, "edit"), (commits, "commit")]
    return " and ".join(counted(number, what) for number, what in parts if number)


def _told(entry: Found) -> str:
    name = clip(strip_invisible(entry.fields["title"] or entry.fields["summary"]), _SHOWN)
    return f"calmkb: saved this session as {entry.fields['id'][:8]}: {name}"
