"""Ended runs for OpenTelemetry: into a file, or to the collector that the environment names."""

import asyncio
import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.environment import Environment
from calmkb.wings.runs.formats.collector import collector_of, resource_of
from calmkb.wings.runs.formats.otlp import Span, request_of, spans_of
from calmkb.wings.runs.model import Run
from calmkb.wings.runs.store.store import RunJournal
from calmkb.wings.runs.verbs.remote import ServerRunner

_AT_ONCE = 500


async def export_runs(
    environment: Environment, journal: RunJournal | ServerRunner, file: str, *,
    session_id: str | None, since: datetime | None,
) -> int:  # fmt: skip
    """Export to `file` (`-`: standard output), or to the collector where it is ""; count the runs.

    A request is a line of at most some 500 spans. CalmError where it cannot be written or sent.
    """
    send = None if file else collector_of(environment.env)
    resource = resource_of(environment.env)
    found = await (
        journal.list_runs(session_id) if session_id else journal.list_recent_runs(since=since)
    )
    runs = [one for one in sorted(found, key=lambda one: (one.started_at, one.id))
            if one.status != "running" and (since is None or one.started_at >= since)]  # fmt: skip
    lines: list[str] = []
    for spans in await _batches(journal, runs):
        body = request_of(spans, resource)
        if send:
            await asyncio.to_thread(send.send, body)
        else:
            lines.append(json.dumps(body, ensure_ascii=False) + "\n")
    if file:
        await asyncio.to_thread(_write, environment.cwd, file, "".join(lines))
    return len(runs)


async def _batches(journal: RunJournal | ServerRunner, runs: Sequence[Run]) -> list[list[Span]]:
    batches: list[list[Span]] = []
    for run in runs:
        spans = spans_of(run, await journal.entries(run.id))
        if not batches or len(batches[-1]) + len(spans) > _AT_ONCE:
            batches.append([])
        batches[-1] += spans
    return batches


def _write(cwd: Path, file: str, text: str) -> None:
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        Path(cwd, file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CalmError(f"{file} cannot be written: {error.strerror}") from error
