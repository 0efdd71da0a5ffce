"""Ended sessions written by a program while nobody waits, where a person switched that on.

A client gives the hooks of a session's end 1.5 seconds together and kills what takes longer. So
the end is only queued; the next session's start begins the writing, in a process of its own.
Killed there, it goes on at the start after that. Little is loaded here at the top: the start of
every session reads it.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import CalmError
from calmkb.hook import CHILD
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.jobs import failed_start_noted, forget_failure, watched
from calmkb.store.local.choices import WritingChoice, save_writing, writing
from calmkb.store.local.sessions import (
    TRIES,
    WRITTEN,
    WRITTEN_PARTS,
    EndedSession,
    WrittenDraft,
    all_written,
    ended_sessions,
    forget_written,
    keep_written,
    read_written,
    size_of,
)
from calmkb.system.locking import exclusive

__all__ = ["WritingChoice"]

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.journal.writing import Attempt, Writer
    from calmkb.model import Draft

_MOST = 5  # sessions of one run: the newest, which are the likeliest to be wanted
_CLIENTS_OWN = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID")
"""Variables of the session that starts: a client refuses to run inside another one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of writing a session: its id, whether it was committed, or why it was not."""

    session_id: str
    committed: bool = False
    fault: str = ""


def switch_writing_on(environment: Environment, choice: WritingChoice) -> None:
    """Have a program write each session that ends from now on; CalmError if it is no command."""
    from calmkb.kb.journal.writing import writer_named

    writer_named(choice.program)
    since = environment.now().timestamp()
    save_writing(environment.own, replace(choice, since=since))


def switch_writing_off(environment: Environment) -> None:
    """Have no program write any more; what was written stays until somebody looks at it."""
    save_writing(environment.own, None)
    forget_failure(environment, "write")


def writing_words(environment: Environment) -> str:
    """Return in a line what writes sessions here, and what it cost today; else how to begin."""
    choice = writing(environment.own)
    if choice is None:
        return "no program writes sessions in the background; fix: calmkb agents hooks write claude"
    from calmkb.store.local.spending import spent_on

    spent = sum(spent_on(environment.state, environment.now()))
    until = "commits them" if choice.commits else "its drafts wait for a yes"
    return (
        f"{choice.program} writes ended sessions in the background, {until}; "
        f"${spent:.2f} of ${choice.budget:.2f} spent today"
    )


def writing_faults(environment: Environment) -> list[str]:
    """Return why sessions that wait could not be written, each reason once."""
    return sorted({one.fault for one in all_written(environment.state) if one.fault})


def session_started(kb: "KnowledgeBase") -> None:
    """Start a process that writes what has ended, if anything is to be written."""
    environment = kb.environment
    choice = writing(environment.own)
    if choice is None or environment.env.get(CHILD) == "1" or not _open(environment, choice):
        return
    from calmkb.system.detached import start_detached

    env = {name: value for name, value in environment.env.items() if name not in _CLIENTS_OWN}
    # Not in the repository: a module of its own must not be imported in place of ours.
    command = [sys.executable, "-m", "calmkb", "session", "write"]
    with failed_start_noted(environment, "write"):
        start_detached(command, cwd=environment.own, env=env)


def write_ended(environment: Environment) -> Iterator[Outcome]:
    """Write what has ended and yield what came of each; nothing where another process does it.

    Raises CalmError where nobody switched it on.
    """
    from calmkb.kb.journal.writing import writer_named

    choice = writing(environment.own)
    if choice is None:
        raise CalmError("no program writes sessions here; fix: calmkb agents hooks write claude")
    if environment.env.get(CHILD) == "1":
        return
    state = environment.state
    with watched(environment, "write") as watch, exclusive(state / WRITTEN) as is_ours:
        writer = writer_named(choice.program, model=choice.model, budget=choice.budget)
        writer = replace(writer, seconds=choice.seconds)
        watch.idle = not is_ours
        if is_ours:
            watch.begins()
        for session in _open(environment, choice)[:_MOST] if is_ours else ():
            if (
                writing(environment.own) != choice
            ):  # a person switched it off, or to another program
                watch.idle = True
                return
            outcome = _write(environment, writer, session, choice)
            if outcome:
                watch.faults += [outcome.fault] if outcome.fault else []
                yield outcome


def _open(environment: Environment, choice: WritingChoice) -> list[EndedSession]:
    """Return the sessions that are to be written, newest first."""
    state = environment.state
    ended = ended_sessions(state, environment.now().timestamp())
    return [one for one in ended if one.ended_at >= choice.since and _is_open(state, one)]


def _is_open(state: Path, session: EndedSession) -> bool:
    found = read_written(state, session.session_id)
    if found is None or found.size != size_of(Path(session.transcript)):
        return True
    return not found.summary and found.tries < TRIES


def _write(
    environment: Environment, writer: "Writer", session: EndedSession, choice: WritingChoice
) -> Outcome | None:
    """Write one session; None where it has an entry, must wait for tomorrow's budget, or was ended.

    What a person switches off meanwhile leaves things as they were.
    """
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.kb.journal.unwrapped import note_what_waits, unwrapped_sessions, waiting

    state, before = environment.state, read_written(environment.state, session.session_id)
    size = size_of(Path(session.transcript))
    tries = before.tries if before and before.size == size else 0
    begun = WrittenDraft(size, tries + 1, writer.name, "it was interrupted")
    try:
        kb = open_kb(replace(environment, cwd=Path(session.folder)), option=None)
        if session.session_id not in {one.session_id for one in unwrapped_sessions(kb)}:
            return None
        keep_written(state, session.session_id, begun)  # a kill while it is asked is one try
        made, attempt = _asked(kb, writer, session)
        if writing(environment.own) != choice:
            forget_written(state, session.session_id)
            if before:
                keep_written(state, session.session_id, before)
            return None
        if attempt.unaffordable:
            keep_written(
                state, session.session_id, replace(begun, tries=tries, fault=attempt.fault)
            )
            return None
        parts = {name: getattr(made, name) for name in WRITTEN_PARTS} if attempt.written else {}
        kept = replace(begun, fault=attempt.fault, **parts)
        keep_written(state, session.session_id, kept)
        is_committed = choice.commits and bool(parts) and _commit(kb, session, made)
        note_what_waits(kb, waiting(kb, kb.project.name))
    except (CalmError, OSError) as error:
        keep_written(state, session.session_id, replace(begun, fault=str(error)))
        return Outcome(session.session_id, fault=str(error))
    return Outcome(session.session_id, is_committed, attempt.fault)


def _asked(kb: "KnowledgeBase", writer: "Writer", session: EndedSession) -> "tuple[Draft, Attempt]":
    """Return the draft in the program's words, filtered before it is asked and after."""
    from calmkb.capture.draft.draft import filtered
    from calmkb.capture.formats.table import read_transcript
    from calmkb.kb.journal.wrapup import cleaned, drafted
    from calmkb.kb.journal.writing import write_draft

    transcript = read_transcript(Path(session.transcript))
    redactor = kb.at(Path(transcript.working_directory)).redactor
    extracted = drafted(transcript, redactor)
    sent = filtered(transcript, redactor.contents)
    made, attempt = write_draft(kb.environment, writer, sent, extracted)
    return cleaned(made, redactor), attempt


def _commit(kb: "KnowledgeBase", session: EndedSession, draft: "Draft") -> bool:
    """Commit the draft where there is a journal; none is made while nobody looks."""
    if not kb.journal.is_dir():
        return False
    from calmkb.kb.journal.raw_log import log_at
    from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
    from calmkb.model import CONTENT

    fields = {name: value for name in CONTENT if (value := getattr(draft, name))}
    log = log_at(Path(session.transcript)).content
    wrap_up(*prepare(kb, WrapUp(**fields, log=log, ended_at=draft.ended_at)))
    return True
