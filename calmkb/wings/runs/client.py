"""A client of the run API: sessions and runs of a server, with its token and no database."""

import json
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.client import HTTPException, HTTPResponse
from types import NoneType
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote, urlencode

from calmkb.errors import CalmError, ConfigError, NotFoundError, RunConflictError
from calmkb.model.words import short_line
from calmkb.wings.runs.addresses import LONGEST, is_address, opened, read_whole
from calmkb.wings.runs.model import Event, Json

T = TypeVar("T")
_SECONDS = 60.0  # how long a silent server is waited for; a stream has a comment every 15 seconds
_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 5.0, 10.0)
"""The waits between tries to come back to a stream that broke."""
_AWAY = (502, 503, 504)
_part = partial(quote, safe="")
_REFUSALS: Mapping[int, type[CalmError]] = {404: NotFoundError, 409: RunConflictError}
_EVENTS: Mapping[str, Any] = {
    "entry": {"entry": {"entry_type": str, "data": dict}},
    "complete": {"run": {"status": str, "result": (dict, NoneType)}},
}


class _AwayError(CalmError):
    """The server, or the one behind its proxy, does not answer."""


class AgentClient:
    """Runs agents on the server at `server`, which alone is given `token`.

    It goes on in one session; set `session_id` for another one. Replies are those of the API. Every
    method raises CalmError with the server's words, NotFoundError on an unknown id and
    RunConflictError on an archived session or a run that has ended.
    """

    def __init__(self, server: str, token: str = "", *, session_id: str | None = None) -> None:
        if not is_address(server):
            raise ConfigError(
                f"the run server is {server.rpartition('@')[2]!r}; give an http:// or https:// "
                "address without user and password"
            )
        self.session_id = session_id
        self._server, self._token = server.rstrip("/"), token.strip()

    def create_session(self, agent_type: str, *, title: str | None = None) -> str:
        """Create a session, go on in it, and return its id."""
        body = {"agentType": agent_type, "title": title}
        self.session_id = str(self._ask("/sessions", body, sessionId=str)["sessionId"])
        return self.session_id

    def reset_session(self) -> None:
        """Leave the session: the next run of an agent begins a new one."""
        self.session_id = None

    def start_run(self, task: str, config: Json | None = None) -> str:
        """Start the next run of the session and return its id."""
        if not self.session_id:
            raise CalmError("there is no session to run in; create one, or set session_id")
        path, body = f"/sessions/{_part(self.session_id)}/runs", {"task": task, "config": config}
        return str(self._ask(path, body, runId=str)["runId"])

    def run_agent(self, agent_type: str, task: str, config: Json | None = None) -> Event:
        """Give an agent a task and return its ended run: `id`, `status`, `result`."""
        body = {"task": task, "config": config, "sessionId": self.session_id}
        path = f"/agents/{_part(agent_type)}/run"
        made = self._ask(path, body, sessionId=str, runId=str)
        self.session_id = made["sessionId"]
        *_, end = self.subscribe(made["runId"])
        ended: Event = end["run"]
        return ended

    def subscribe(self, run_id: str, *, after: int = 0) -> Iterator[Event]:
        """Yield each event of a run above the entry `after` once, and the run's end.

        A stream that breaks goes on after its last event, where the server, or another one behind
        the same address, answers within half a minute.
        """
        tried = 0
        while True:
            fault = self._away("its events end before the run does")
            try:
                for number, event in self._events(run_id, after):
                    after, tried = number or after, 0
                    yield event
                    if event["type"] == "complete":
                        return
            except _AwayError as error:
                fault = error
            if tried == len(_PAUSES):
                raise fault
            time.sleep(_PAUSES[tried])
            tried += 1

    def list_sessions(self, **wanted: Any) -> list[Event]:
        """Return sessions, newest first: `status`, `agentType`, `limit`, `offset`."""
        return self._list(f"/sessions?{urlencode(wanted)}", dict)

    def get_session(self, session_id: str) -> Event:
        """Return a session and its runs."""
        return self._ask(f"/sessions/{_part(session_id)}", session=dict, runs=[dict])

    def archive_session(self, session_id: str, *, wrapup: bool = False) -> Event:
        """Archive a session; `wrapup` creates an entry in the server's journal."""
        path = f"/sessions/{_part(session_id)}/archive"
        return self._ask(path, {"wrapup": wrapup}, session=dict)

    def list_runs(self, **wanted: Any) -> list[Event]:
        """Return runs of all sessions, newest first: `status`, `since`, `limit`, `offset`."""
        return self._list(f"/runs?{urlencode(wanted)}", dict)

    def get_run(self, run_id: str) -> Event:
        """Return a run and its entries."""
        return self._ask(f"/runs/{_part(run_id)}", run=dict, entries=[dict])

    def cancel_run(self, run_id: str) -> Event:
        """Cancel a run and return it; `running` where its process does not answer."""
        return self._ask(f"/runs/{_part(run_id)}/cancel", {})

    def agent_types(self) -> list[str]:
        """Return the types of agents that the server has."""
        return self._list("/agents", str)

    def _events(self, run_id: str, after: int) -> Iterator[tuple[int, Event]]:
        headers = {"Last-Event-ID": str(after)} if after else {}
        path = f"/runs/{_part(run_id)}/subscribe"
        with self._open(path, headers=headers) as reply, self._reading(path):
            if reply.headers.get_content_type() != "text/event-stream":
                raise ValueError(reply.headers.get_content_type())
            for number, event in _events(iter(partial(reply.readline, LONGEST), b"")):
                if (kind := shaped(event, {"type": str})["type"]) in _EVENTS:
                    yield number, shaped(event, _EVENTS[kind])

    def _ask(self, path: str, body: Json | None = None, **fields: Any) -> Event:
        with self._open(path, body) as reply, self._reading(path):
            found: Event = shaped(json.loads(read_whole(reply, _SECONDS)), fields)
        return found

    def _list(self, path: str, kind: type[T]) -> list[T]:
        with self._open(path) as reply, self._reading(path):
            found: list[T] = shaped(json.loads(read_whole(reply, _SECONDS)), [kind])
        return found

    @contextmanager
    def _reading(self, path: str) -> Iterator[None]:
        try:
            yield
        except (OSError, HTTPException) as error:
            raise self._away(error) from error
        except (KeyError, ValueError, RecursionError) as error:
            raise self.unlike(path) from error

    def unlike(self, what: str) -> CalmError:
        """Return the error of a reply that is none of a run server's: to a path, or a record."""
        return CalmError(
            f"{self._server} is no run server of calmkb: it does not answer {what} as one does; "
            "check the address"
        )

    def _open(
        self, path: str, body: Json | None = None, *, headers: Mapping[str, str] | None = None
    ) -> HTTPResponse:
        data = None if body is None else json.dumps(body).encode()
        known = {"Content-Type": "application/json", **(headers or {})}
        if self._token:
            known["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self._server + path, data, known)  # noqa: S310 - checked
        try:
            return opened(request, _SECONDS)
        except HTTPError as error:
            with error:
                raise self._refusal(error) from error
        except (OSError, ValueError, HTTPException) as error:
            raise self._away(error) from error

    def _refusal(self, error: HTTPError) -> CalmError:
        try:
            given = json.loads(read_whole(error, _SECONDS, 65_536))
            message = short_line(str(given["error"]["message"]), 2_000)
        except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
            message = f"{error.code} {error.reason}"
        if error.code in _AWAY:
            return self._away(message)
        if error.code == 401:
            message += ", or another one; give it in CALMKB_RUNS_TOKEN"
        return _REFUSALS.get(error.code, CalmError)(f"{self._server} refused: {message}")

    def _away(self, why: object) -> _AwayError:
        return _AwayError(
            f"the run server at {self._server} does not answer: {why}; check that it runs and that "
            "the address is right"
        )


def shaped(value: Any, shape: Any) -> Any:
    """Return a reply that has the shape: a type, some of them, [shape] or {field: shape}.

    ValueError where it has not. Fields that a newer server adds are kept.
    """
    fits = isinstance(value, type(shape) if isinstance(shape, dict | list) else shape)
    if not fits:
        raise ValueError(f"{type(value).__name__} is not {shape}")
    if isinstance(shape, dict):
        for name, part in shape.items():
            shaped(value.get(name), part)
    elif isinstance(shape, list):
        for one in value:
            shaped(one, shape[0])
    return value


def _events(lines: Iterable[bytes]) -> Iterator[tuple[int, Event]]:
    """Yield the Server-Sent Events in the lines of a stream, each with its number."""
    number, said, room = 0, list[str](), LONGEST
    for raw in lines:
        line, room = raw.decode().rstrip("\r\n"), room - len(raw)
        if room < 0:
            raise ValueError(f"an event is longer than {LONGEST:,} bytes")
        name, _, value = line.partition(":")
        if name == "data":
            said.append(value)
        elif name == "id":
            number = int(value)
        elif not line and said:
            yield number, json.loads("\n".join(said))
            said, room = [], LONGEST
