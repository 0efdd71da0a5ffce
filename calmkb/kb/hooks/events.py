"""What each hook does. Frequent hooks only queue their input; it is processed later.

A person waits for the start of a session: the filter, the miners and the exporters are loaded
only when something is queued or has changed.
"""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from calmkb import hook
from calmkb.capture.hooks.commands import CLIENT_VARIABLE, QUEUED
from calmkb.capture.hooks.payload import text_of
from calmkb.errors import CalmError, StoreError
from calmkb.kb.base import points
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.jobs import failure_words
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.hooks.answer import HookAnswer
from calmkb.kb.hooks.export import SETTING, refresh_digests
from calmkb.kb.journal.continuation import pending_sessions
from calmkb.kb.journal.unwrapped import note_what_waits, waiting
from calmkb.store.local.notices import CONTINUATIONS, note
from calmkb.store.local.sessions import note_client
from calmkb.store.signals.pending import is_waiting, parse_object

_PAYLOAD_LIMIT = 16 * 1024 * 1024
_ELSEWHERE = "a session from another machine; see calmkb agents trust"
_SECONDS = 5.0  # how long a person and an agent may be kept waiting by what was queued
_SILENT = HookAnswer()


def handle(
    environment: Environment, event: str, stream: BinaryIO, *, export: bool = False
) -> HookAnswer:
    """Handle `event` with the input of the client; return the answer to the client.

    With `export` the start of a session updates the digests first.
    Raises CalmError and OSError where something is wrong; the caller keeps it from the agent.
    """
    if event in QUEUED:
        from calmkb.kb.signals.signals import fresh_store

        hook.put(event, stream, str(environment.state))
        if event != "Stop":  # a running session needs no summary yet
            fresh_store(environment)
        return _SILENT
    if event not in _EVENTS:
        return _SILENT
    payload = parse_object(stream.read(_PAYLOAD_LIMIT)) or {}
    if event == "SessionStart" and (export or environment.env.get(SETTING) == "1"):
        with contextlib.suppress(CalmError, OSError):  # noted for the status line
            _refresh(environment, text_of(payload, "cwd"))
    try:
        _absorb(environment)
    finally:  # reading works on a full disk too
        answer = _EVENTS[event](environment, payload)
    return answer


def _pre_compact(environment: Environment, payload: Mapping[str, Any]) -> HookAnswer:
    """Keep what the session taught, before the client forgets it."""
    from calmkb.kb.signals.queue import capture_transcript
    from calmkb.kb.signals.signals import signal_store

    path = text_of(payload, "transcript_path")
    if path and "\0" not in path:
        store = signal_store(environment, folders=[text_of(payload, "cwd")])
        capture_transcript(store, Path(path), text_of(payload, "session_id"), environment.now())
    return _SILENT


def _session_start(environment: Environment, payload: Mapping[str, Any]) -> HookAnswer:
    """Return what was left to be continued, for the agent, and what waits, for the person.

    After a compaction it is what the session taught.
    """
    if text_of(payload, "source") == "compact":
        return HookAnswer(_signal_context(environment, text_of(payload, "session_id")))
    folder = _folder(environment, text_of(payload, "cwd"))
    kb = open_kb(replace(environment, cwd=folder), option=None)
    if text_of(payload, "source") in ("clear", "resume", "fork"):
        pid = environment.env.get(CLIENT_VARIABLE, "")
        note_client(environment.state, pid, text_of(payload, "session_id"))
    project = _project(kb, folder)
    found = waiting(kb, project, running=text_of(payload, "session_id"))
    note_what_waits(kb, found)
    failed = failure_words(environment)
    told = points.session_started(kb)
    message = told and f"calmkb: {told}"
    if (found or failed) and text_of(payload, "source"):
        from calmkb.capture.hooks.messages import waiting_words

        numbers = (found.sessions, found.entries, found.signals, found.written)
        message = "\n".join(filter(None, [waiting_words(*numbers, failed=failed), message]))
    return HookAnswer(_continuation(kb, folder, project), message)


def _absorb(environment: Environment) -> None:
    """Make signals of what is queued, if anything is."""
    if is_waiting(environment.state):
        from calmkb.kb.signals.queue import absorb_queue
        from calmkb.kb.signals.signals import signal_store

        absorb_queue(signal_store(environment), environment.now(), seconds=_SECONDS)


def _signal_context(environment: Environment, session: str) -> str:
    from calmkb.capture.hooks.messages import signals_words
    from calmkb.store.signals.store import SignalStore

    return signals_words(SignalStore(environment.state).query(status="captured", session=session))


def _refresh(environment: Environment, cwd: str) -> None:
    folder = _folder(environment, cwd)
    # The status line looks up the folder's own name, not the project's.
    refresh_digests(open_kb(replace(environment, cwd=folder), option=None), folder.name)


def _folder(environment: Environment, cwd: str) -> Path:
    return Path(cwd) if cwd and "\0" not in cwd else environment.cwd


def _continuation(kb: KnowledgeBase, folder: Path, project: str) -> str:
    environment = kb.environment
    if not kb.journal.is_dir():
        return ""
    entries = pending_sessions(kb, project=project)
    if not entries:
        note(environment.state, CONTINUATIONS, folder.name, "")
        return ""
    from calmkb.capture.hooks.messages import continuation_words, unapproved_words
    from calmkb.kb.base.approvals import is_approved
    from calmkb.kb.base.own_records import session_request

    shown = next((one for one in entries if is_approved(kb, session_request(one))), None)
    # The status line looks up the folder's own name, not the project's.
    note(environment.state, CONTINUATIONS, folder.name, shown.summary if shown else _ELSEWHERE)
    return continuation_words(shown) if shown else unapproved_words()


def _project(kb: KnowledgeBase, folder: Path) -> str:
    """Return the project as a wrap-up in `folder` names it, also where there is no git."""
    try:
        return kb.at(folder.resolve()).project.name
    except StoreError:
        return kb.config.project if folder == kb.root and kb.config.project else folder.name


_EVENTS: dict[str, Callable[[Environment, Mapping[str, Any]], HookAnswer]] = {
    "PreCompact": _pre_compact,
    "SessionStart": _session_start,
}
