"""Runs from the OpenTelemetry logs of clients that were not started by calmkb."""

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.runs.formats.otel_events import LINE_LIMIT, Logs, read_logs
from calmkb.runs.formats.otel_runs import run_of
from calmkb.runs.store.store import RunJournal

_QUIET = timedelta(hours=1)
"""A prompt whose last event is newer may still be answered: it waits for the next import."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many runs were new, known already, or too recent; and lines that are not OTLP logs."""

    new: int
    known: int
    recent: int
    unread: int


async def import_otel_logs(
    kb: KnowledgeBase, journal: RunJournal, file: str, *, project: str = ""
) -> Imported:
    """Import the logs in `file`; twice is once. CalmError if unreadable."""
    logs = await asyncio.to_thread(_read, kb.environment.cwd, file)
    clean, before = kb.redactor().text, kb.environment.now() - _QUIET
    counts = {True: 0, False: 0}
    ended = {key: events for key, events in logs.prompts.items()
             if max(event.at for event in events) < before}  # fmt: skip
    for (session_id, prompt_id), events in sorted(ended.items(), key=lambda item: item[1][0].at):
        logged = await asyncio.to_thread(run_of, session_id, prompt_id, events, clean)
        run = replace(logged.run, project=clean(project)) if project else logged.run
        counts[await journal.import_run(logged.session, run, logged.entries)] += 1
    return Imported(counts[True], counts[False], len(logs.prompts) - len(ended), logs.unread)


def _read(cwd: Path, file: str) -> Logs:
    try:
        with Path(cwd, file).open("rb") as stream:
            # Of a longer line each part is read as one, and is no JSON.
            lines = iter(lambda: stream.readline(LINE_LIMIT), b"")
            return read_logs(line.decode(errors="replace") for line in lines)
    except OSError as error:
        raise CalmError(f"{file} cannot be read: {error.strerror or error}") from error
