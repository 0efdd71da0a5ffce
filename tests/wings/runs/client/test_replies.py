"""Replies of a server that is none of calmkb's: each is an error sentence that names it."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from calmkb.errors import CalmError
from calmkb.wings.runs.client import AgentClient

OTHER = ("[]", '{"a": 1}', '"text"', "[1]", "null", "7", '{"id": "x"}', "<html>", "[" * 100_000)
COMMANDS = (
    ("run", "list"),
    ("run", "echo", "x"),
    ("run", "echo", "--session-id", "s", "x"),
    ("run", "cancel", "r"),
    ("run", "export", "--otlp", "-", "--session-id", "s"),
    ("show", "abc"),
)


@pytest.fixture
def there(monkeypatch):
    """Return a server, and what it replies to each path: text, or (text, type)."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0]
            text = next((t for end, t in replies.items() if path.endswith(end)), "{}")
            stream = path.endswith("/subscribe") and not text.startswith("<")
            self.send_response(int(replies.get("status", 200)))
            self.send_header("Content-Type", "text/event-stream" if stream else "application/json")
            self.end_headers()
            self.wfile.write((f"id: 1\ndata: {text}\n\n" if stream else text).encode())

        do_POST = do_GET  # noqa: N815 - its name

        def log_message(self, *_):
            pass

    replies: dict[str, str] = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("CALMKB_RUNS_SERVER", address)
    yield address, replies
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("reply", OTHER, ids=lambda text: text[:10])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_other_json_is_an_error_that_names_the_server(there, project, cli, command, reply):
    address, replies = there
    replies[""] = reply
    said = cli(*command)
    if reply == "[]" and command[1] in ("list", "usage"):  # a server without runs
        assert (said.code, said.out) == (0, "No runs found.\n")
    elif reply == "[]" and command[0] == "show":
        assert (said.code, "nothing to show" in said.err) == (1, True)
    else:
        assert (said.code, f"{address} is no run server of calmkb" in said.err) == (1, True)


def test_a_refusal_of_any_form_is_the_servers(there, project, cli):
    address, replies = there
    replies["status"] = "400"
    for replies["/runs"] in ("[" * 60_000, "[1]", '{"error": "no"}', "<p>", "null"):
        said = cli("run", "list")
        assert (said.code, f"{address} refused: 400 Bad Request" in said.err) == (1, True)


AT = "2026-11-28T07:00:00+00:00"
RUN = {"id": "abc", "sessionId": "s", "runNumber": 1, "agentType": "echo", "task": "x",
       "status": "completed", "startedAt": AT, "createdAt": AT}  # fmt: skip
ENTRY = {"id": "e", "runId": "abc", "sequenceNumber": 1, "entryType": "text",
         "data": {"text": "hello"}, "createdAt": AT}  # fmt: skip


def replies_of(run, entry):
    return {"/runs": json.dumps([run]), "/abc": json.dumps({"run": run, "entries": [entry]})}


def test_a_record_with_times_in_another_form_is_shown(there, project, cli):
    there[1].update(replies_of(RUN | {"startedAt": "2026-11-28"}, ENTRY | {"new": 1}))
    assert cli("show", "abc").out == "echo, completed: x\nhello\n✓\n"


@pytest.mark.parametrize("field", [*RUN, "result", "config", "usage"])
def test_a_field_of_a_run_of_another_type_is_an_error(there, project, cli, field):
    address, replies = there
    replies |= replies_of(RUN | {field: [1]}, ENTRY)
    said = cli("show", "abc")
    assert (said.code, f"{address} is no run server" in said.err) == (1, True)


@pytest.mark.parametrize("field", [*ENTRY])
def test_a_field_that_an_entry_has_not_is_an_error(there, project, cli, field):
    address, replies = there
    replies |= replies_of(RUN, {name: ENTRY[name] for name in ENTRY if name != field})
    said = cli("show", "abc")
    assert (said.code, f"{address} is no run server" in said.err) == (1, True)


END = {"type": "complete", "run": {"status": "completed", "result": None}}


def test_an_event_of_a_type_that_only_a_newer_server_knows_is_passed_over(there):
    address, replies = there
    news = {"type": "entry", "entry": {"entry_type": "news", "data": {"a": [1]}}}
    told = [{"type": "other", "entry": 3}, news, END]
    replies["/subscribe"] = "\n\ndata: ".join(map(json.dumps, told))
    assert list(AgentClient(address).subscribe("abc")) == [news, END]


EVENTS = (
    *OTHER[:-2], "not JSON", '{"type": "entry"}', '{"type": ["complete"]}',
    '{"type": "entry", "entry": {"entry_type": "text", "data": "x"}}',
    '{"type": "entry", "entry": {"entry_type": 1, "data": {}}}',
    '{"type": "complete", "run": {"status": "completed", "result": "x"}}',
    '{"type": "complete", "run": {"result": {}}}', "<html>",
)  # fmt: skip


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_of_another_form_is_an_error_at_once(there, event):
    address, replies = there
    replies["/subscribe"] = event
    with pytest.raises(CalmError, match=f"{address} is no run server of calmkb"):
        list(AgentClient(address).subscribe("abc"))
