"""The runs of a server, asked for as those of a database are."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, TypeVar

from calmkb.wings.runs.client import AgentClient, shaped
from calmkb.wings.runs.model import Event, Json, Run, RunEntry, RunSession, camel_case

T = TypeVar("T", RunSession, Run, RunEntry)
_PAGE = 200
_KINDS: Mapping[str, type] = {
    **dict.fromkeys(("run_number", "sequence_number", "step_number"), int),
    **dict.fromkeys(("config", "result", "usage", "data"), dict),
}
"""The fields of records that are no text."""


class ServerRunner:
    """What commands ask a `KbRunner` and its journal, asked of a server."""

    def __init__(self, server: str, token: str) -> None:
        self._client, self.journal = AgentClient(server, token), self

    def agent_types(self) -> Sequence[str]:
        """Return the server's types of agents."""
        return self._client.agent_types()

    async def begin_session(self, agent_type: str) -> RunSession:
        """Begin a session."""
        session_id = self._client.create_session(agent_type)
        return self._made(RunSession, self._client.get_session(session_id)["session"])

    async def start(self, session_id: str, task: str, config: Json | None = None) -> Run:
        """Begin a run."""
        self._client.session_id = session_id
        return self._made(Run, self._client.get_run(self._client.start_run(task, config))["run"])

    async def cancel(self, run_id: str) -> Run:
        """Stop a run."""
        return self._made(Run, self._client.cancel_run(run_id))

    async def archive(self, session_id: str, *, wrapup: bool = False) -> RunSession:
        """Archive a session."""
        done = self._client.archive_session(session_id, wrapup=wrapup)
        return self._made(RunSession, {**done["session"], "entryId": done.get("entryId")})

    async def follow(self, run_id: str) -> AsyncIterator[Event]:
        """Yield the events of a run; a thread waits for them, so that ^C is heard meanwhile."""
        loop, found = asyncio.get_running_loop(), asyncio.Queue[Event | Exception]()

        def read() -> None:
            with contextlib.suppress(RuntimeError):  # the command has ended
                try:
                    for event in self._client.subscribe(run_id):
                        loop.call_soon_threadsafe(found.put_nowait, event)
                except Exception as error:
                    loop.call_soon_threadsafe(found.put_nowait, error)

        threading.Thread(target=read, daemon=True).start()
        while True:
            if isinstance(event := await found.get(), Exception):
                raise event
            yield event
            if event["type"] == "complete":
                return

    async def list_runs(self, session_id: str) -> Sequence[Run]:
        """Return the runs of a session, in their order."""
        return [self._made(Run, one) for one in self._client.get_session(session_id)["runs"]]

    async def list_recent_runs(
        self, *, status: str | None = None, since: datetime | None = None, limit: int | None = None
    ) -> Sequence[Run]:
        """Return runs of all sessions, newest first."""
        wanted = {"status": status, "since": since and since.isoformat()}
        given = {name: value for name, value in wanted.items() if value}
        found: dict[str, Run] = {}
        while limit is None or len(found) < limit:
            page = self._client.list_runs(**given, limit=_PAGE, offset=len(found))
            before = len(found)
            found |= {run.id: run for run in (self._made(Run, one) for one in page)}
            if len(page) < _PAGE or len(found) == before:
                break
        return list(found.values())[:limit]

    async def entries(self, run_id: str) -> Sequence[RunEntry]:
        """Return the entries of a run, in their order."""
        return [self._made(RunEntry, one) for one in self._client.get_run(run_id)["entries"]]

    def _made(self, kind: type[T], given: Json) -> T:
        """Return a record from its JSON; what a newer server adds is left out."""
        names = {one.name: camel_case(one.name) for one in fields(kind)}
        try:
            return kind(**{name: _value(name, given[shown]) for name, shown in names.items()
                           if given.get(shown) is not None})  # fmt: skip
        except (TypeError, ValueError, OverflowError) as error:
            raise self._client.unlike(kind.__name__) from error


def _value(name: str, given: Any) -> Any:
    value = shaped(given, _KINDS.get(name, str))
    return datetime.fromisoformat(value).astimezone(UTC) if name.endswith("_at") else value
