"""From the run journal into the knowledge base: a session as an entry, failures as signals."""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from calmkb.capture.tool_calls.error_line import find_error_line, is_noise
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from calmkb.kb.signals.signals import signal_store
from calmkb.model import ITEMS_LIMIT, SUMMARY_LIMIT
from calmkb.model.words import counted, short_line
from calmkb.store.index.queries import current_entry
from calmkb.wings.runs.model import Run, RunEntry, RunSession
from calmkb.wings.runs.sinks import ToolFailure
from calmkb.wings.runs.store.store import RunJournal

_CONTENT = 280
_SIGNALS = 5
_NAMED = 6


async def wrap_up_session(kb: KnowledgeBase, journal: RunJournal, session: RunSession) -> str:
    """Create a journal entry from a run session; return its id, or "" where nothing ran.

    One that was made before, by a process that died before it could say so, is returned.
    """
    runs = await journal.list_runs(session.id)
    if not runs:
        return ""
    made = partial(current_entry, agent=session.agent_type, session_id=session.id)
    if found := await asyncio.to_thread(ask_index, kb, made):
        return str(found.fields["id"])
    friction = [text for run in runs for text in _friction(run, await journal.entries(run.id))]
    content = WrapUp(
        summary=_summary(session, runs)[:SUMMARY_LIMIT],
        friction_points=tuple(dict.fromkeys(friction))[:ITEMS_LIMIT],
        next_steps=tuple(_next_steps(runs))[:ITEMS_LIMIT],
        agent=session.agent_type,
        session_id=session.id,
    )
    return (await asyncio.to_thread(lambda: wrap_up(*prepare(kb, content)))).entry.id


def keep_failures(
    kb: KnowledgeBase, run: Run, failures: Sequence[ToolFailure], message: str = ""
) -> None:
    """Store what failed in a run as signals, each once; `message` says why the run itself did.

    That a tool was refused teaches nothing of the project.
    A store that cannot be written must not fail the run: then nothing is stored.
    """
    words = dict.fromkeys([*map(_failure_words, failures), message])
    telling = [one for one in words if one.strip() and not is_noise(one)]
    fields = [
        {
            "session_id": run.session_id,
            "type": "failure",
            "confidence": 1,
            "source": {"hook": "run"},
            "content": short_line(text, _CONTENT),
            "context": short_line(run.task, 200),
            "tags": [run.agent_type],
            "meta": {"key": _key(run, text), "run_id": run.id},
        }
        for text in telling[:_SIGNALS]
    ]
    with suppress(CalmError, OSError):
        signal_store(kb.environment).append_new(fields, now=kb.environment.now())


def _failure_words(failure: ToolFailure) -> str:
    """Return which tool failed and the line that says why, "" where it never ran."""
    if is_noise(failure.output):
        return ""
    line = find_error_line(failure.output) or " ".join(failure.output.split())
    return short_line(f"{failure.tool} failed: {line or 'it gave no reason'}", _CONTENT)


def _summary(session: RunSession, runs: Sequence[Run]) -> str:
    head = f"{session.title}. " if session.title else ""
    done = sum(run.status == "completed" for run in runs)
    lines = [
        f"{short_line(run.task, 160)} → {short_line(run.outcome, 240)}" for run in runs[:_NAMED]
    ]
    if (more := len(runs) - len(lines)) > 0:
        lines.append(f"and {more} more runs")
    return (
        f"{head}{counted(len(runs), 'run')} of {session.agent_type}, "
        f"{done} completed.\n\n" + "\n".join(f"- {line}" for line in lines)
    )


def _friction(run: Run, entries: Sequence[RunEntry]) -> list[str]:
    found = [
        words
        for entry in entries
        if entry.entry_type == "tool:complete" and entry.data.get("success") is False
        if (words := _failure_words(_failure_of(entry)))
    ]
    if run.status == "failed":
        found.append(f"A run failed: {run.outcome} (the task: {short_line(run.task, 120)})")
    return [short_line(text, 400) for text in found]


def _failure_of(entry: RunEntry) -> ToolFailure:
    result = entry.data.get("result")
    output = result if isinstance(result, str) and result else entry.data.get("summary")
    return ToolFailure(str(entry.data.get("toolName")), str(output or ""))


def _next_steps(runs: Sequence[Run]) -> list[str]:
    """Return the tasks of failed or cancelled runs that no run with the same task completed."""
    done = {run.task for run in runs if run.status == "completed"}
    left = dict.fromkeys(run.task for run in runs if run.status in ("failed", "cancelled"))
    return [f"Do again: {short_line(task, 300)}" for task in left if task not in done]


def _key(run: Run, text: str) -> str:
    identity = f"{run.id}\0{' '.join(text.split()).casefold()}"
    return hashlib.sha256(identity.encode(errors="replace")).hexdigest()[:16]
