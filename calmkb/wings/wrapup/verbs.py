"""What a client asks at the end of a turn: whether the session has work that is in no entry."""

import os
import shlex
import shutil
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from calmkb.capture.hooks.payload import text_of
from calmkb.capture.settings.hooks import Hook
from calmkb.errors import CalmError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.hooks.answer import HookAnswer
from calmkb.kb.hooks.toggle import (
    SettingsChange,
    absent_hooks,
    lacks_hook,
    switch_hook,
    switch_wanted,
)
from calmkb.model.words import clip
from calmkb.redact.invisible import strip_invisible
from calmkb.store.index.queries import Found, current_entry
from calmkb.store.signals.pending import parse_object
from calmkb.system.files import make_private_folder, write_atomically
from calmkb.wings.wrapup.clients import CLAUDE, CODEX, GEMINI, OTHERS, Client
from calmkb.wings.wrapup.work import in_words, is_enough, matching_lines, read_log

_FOLDER = "asked"
_LIMIT = 16 * 1024 * 1024
_GAP = 20 * 60  # seconds between two questions
_SHOWN = 80
KEPT_DAYS = 90  # for how long it is known which sessions had work
WORDS = """\
calmkb: the journal has no entry yet for {work} of this session. Wrap the session up now, once, with
calmkb's `store_journal_entry` (`session_id` {session}), or with
`calmkb wrapup --agent {agent} --session-id {session} --markdown -`:
- a summary: two or three sentences on what was done and its state;
- friction points: problems, blockers and surprises, a sentence each, with cause and fix;
- next steps, a sentence each;
- learnings, at most five: what a new session of this project should know weeks from now.
Only what happened, no secrets; leave out what there is none of. Then stop, without a report."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Sessions with work on this machine, those with a written entry, and those of them asked."""

    sessions: int
    written: int
    asked: int


def is_on(environment: Environment) -> bool:
    """Return whether agents on this machine are asked for their wrap-ups."""
    return (environment.own / _FOLDER).is_dir()


def switch_asking(environment: Environment, *, on: bool) -> list[tuple[Client, SettingsChange]]:
    """Have the agents of the clients here asked, or not: by a hook in the settings of each.

    Settings that cannot be read are left alone, and said.
    """
    if on:
        make_private_folder(environment.own / _FOLDER)
    elif is_on(environment):
        shutil.rmtree(environment.own / _FOLDER)
    done = [(CLAUDE, switch_wanted(environment, [CLAUDE.task]))]
    for client in (one for one in OTHERS if one.is_here(environment)):
        path = client.settings(environment)
        try:
            changed = switch_hook(environment, path, client.hook, on=on)
        except CalmError as error:
            left = f"the hook of {client.name} is as it was: {error}"
            changed = SettingsChange(path, changed=False, backup=None, warnings=(left,))
        done.append((client, changed))
    return done


def asked_clients(environment: Environment) -> tuple[list[str], list[str]]:
    """Return the clients here whose settings have the hook, and those whose settings lack it."""
    lacking = [CLAUDE] if absent_hooks(environment) else []
    others = [one for one in OTHERS if one.is_here(environment)]
    lacking += [one for one in others if lacks_hook(one.settings(environment), one.hook)]
    having = [one.name for one in (CLAUDE, *others) if one not in lacking]
    return having, [one.name for one in lacking]


def wanted(environment: Environment, program: str) -> dict[str, Hook]:
    """Return the hook by its task, where a person has switched this on."""
    return {CLAUDE.task: CLAUDE.hook(program)} if is_on(environment) else {}


def shares(kb: KnowledgeBase) -> Shares:
    """Return how many of the sessions of the last 90 days in a knowledge base were wrapped up."""
    from calmkb.model.sessions.entries import imported_id  # 10 ms that a hook does without

    asked = dict[tuple[str, str], float]()
    for note in (kb.environment.own / _FOLDER).glob("*.jsonl"):
        _, root, who, *_ = f"{note.read_text('utf-8', 'surrogateescape')}\n\n".split("\n")
        if root == str(kb.root):
            agent, _, session = (who or f"{CLAUDE.agent} {note.stem}").partition(" ")
            asked[agent, session] = note.stat().st_mtime
    entries = kb.with_index(lambda index: [current_entry(index, *one) for one in asked])
    pairs = zip(entries, asked.items(), strict=True)
    written = [at > 0 for found, (who, at) in pairs
               if found and found.fields["id"] != imported_id(*who)]  # fmt: skip
    return Shares(len(asked), len(written), sum(written))


def answer(environment: Environment, stream: BinaryIO, *, client: Client = CLAUDE) -> HookAnswer:
    """Return what a client's agent is asked as its turn ends, or what was written."""
    payload = parse_object(stream.read(_LIMIT)) or {}
    log, session = Path(text_of(payload, "transcript_path")), text_of(payload, "session_id")
    if not is_on(environment) or environment.env.get("CI") or not log.is_file():
        return HookAnswer()
    folder = Path(text_of(payload, "cwd") or environment.cwd)
    kb = open_kb(replace(environment, cwd=folder), option=None)
    if kb.is_personal or not kb.root.is_dir():
        return HookAnswer()
    note = environment.own / _FOLDER / log.name
    asked = note.stat().st_mtime if note.is_file() else 0.0
    entry = kb.with_index(lambda index: current_entry(index, client.agent, session))
    at = entry.fields["created_at"] if entry else ""
    written = datetime.fromisoformat(at).timestamp() if at else 0.0
    if payload.get("stop_hook_active"):
        return HookAnswer(message=_told(entry) if entry and written >= int(asked) > 0 else "")
    now, found = environment.now().timestamp(), read_log(log, session, environment.own)
    if found.is_programs:
        return HookAnswer()
    new = [one for one in found.work if one.at > max(asked, written)]
    asks = now - asked >= _GAP and is_enough(new, now - max(asked, written, found.began))
    if not note.exists():
        for old in note.parent.glob("*.jsonl"):
            if now - old.stat().st_ctime > KEPT_DAYS * 24 * 3600:
                old.unlink(missing_ok=True)
    text = f"{matching_lines(log, client.pattern)}\n{kb.root}\n{client.agent} {session}\n"
    write_atomically(note, os.fsencode(text), mode=0o600)
    os.utime(note, (now, now) if asks else (asked, asked))
    words = WORDS.format(work=in_words(new), agent=client.agent, session=shlex.quote(session))
    return client.asks(words) if asks else HookAnswer()


answer_codex = partial(answer, client=CODEX)
answer_gemini = partial(answer, client=GEMINI)


def _told(entry: Found) -> str:
    name = clip(strip_invisible(entry.fields["title"] or entry.fields["summary"]), _SHOWN)
    return f"calmkb: saved this session as {entry.fields['id'][:8]}: {name}"
