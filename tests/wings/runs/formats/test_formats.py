"""Runs in the tools of others: spans at a collector on loopback, events for AG-UI."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.trust.support import write_allowed
from tests.wings.runs.agents.test_agents import CLAUDE, program, settings


class Collector(ThreadingHTTPServer):
    """Takes OTLP's JSON, and refuses what is not well formed."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.spans, self.headers, self.reply, self.status, self.lacks = [], [], {}, 200, 0


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert (self.path, self.headers["content-type"]) == ("/v1/traces", "application/json")
        for resource in body["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                self.server.spans += [
                    {**read(span), "resource": read(resource["resource"])["attributes"]}
                    for span in scope["spans"]
                ]
        self.server.headers.append(self.headers)
        data = self.server.reply
        data = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(self.server.status)
        if self.server.status != 200:
            self.send_header("location", f"http://localhost:{self.server.server_port}/v1/traces")
        self.send_header("content-length", str(len(data) + self.server.lacks))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def read(thing):
    """Return a span or a resource with its attributes as a plain mapping."""
    kinds = {"stringValue": str, "intValue": int, "doubleValue": float}
    found = {}
    for one in thing["attributes"]:
        ((kind, value),) = one["value"].items()
        found[one["key"]] = kinds[kind](value)
    return {**thing, "attributes": found}


@pytest.fixture
def collector():
    server = Collector()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def ran(folder, cli):  # noqa: F811
    body = CLAUDE.replace(
        'result="The tests fail."', 'result="The tests fail.", total_cost_usd=1.5'
    )
    text = settings(program(folder.parent, body), format="claude-stream-json")
    write_allowed(folder, text.replace("agents.tried", "agents.coder"))
    assert cli("run", "coder", "Look.").code == 0


def test_a_run_is_a_span_and_its_tools_are_spans_below_it(project, cli, collector, monkeypatch):  # noqa: F811
    ran(project, cli)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=a%20b")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "nightly")
    said = cli("runs", "export", "--otlp")
    assert (said.code, said.err) == (0, "Exported 1 runs.\n")
    root, good, bad = collector.spans
    assert (root["name"], good["name"]) == ("invoke_agent coder", "execute_tool Bash")
    assert {span["traceId"] for span in collector.spans} == {root["traceId"]}
    assert [len(root["traceId"]), len(root["spanId"])] == [32, 16] and "parentSpanId" not in root
    assert {good["parentSpanId"], bad["parentSpanId"]} == {root["spanId"]}
    assert root["attributes"]["calmkb.cost_usd"] == 1.5
    assert (
        root["attributes"]["gen_ai.conversation.id"] == good["attributes"]["gen_ai.conversation.id"]
    )
    assert (good["status"]["code"], bad["status"]) == (
        1, {"code": 2, "message": "lock file broken"})  # fmt: skip
    assert all(int(s["startTimeUnixNano"]) <= int(s["endTimeUnixNano"]) for s in collector.spans)
    assert root["resource"] == {"service.name": "nightly"}
    assert collector.headers[0]["x-team"] == "a b"
    before = [span["spanId"] for span in collector.spans]
    cli("runs", "export", "--otlp")
    assert [span["spanId"] for span in collector.spans] == before * 2


def test_spans_go_into_a_file_and_a_wrong_collector_is_named(project, cli, collector, monkeypatch):  # noqa: F811
    ran(project, cli)
    assert cli("runs", "export", "--otlp", "spans.json").code == 0
    (line,) = (project / "spans.json").read_text().splitlines()
    assert len(json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"]) == 3
    assert "The tests fail." not in line
    said = cli("runs", "export", "--otlp")
    assert (said.code, "OTEL_EXPORTER_OTLP_ENDPOINT" in said.err) == (1, True)
    place = f"http://127.0.0.1:{collector.server_port}"
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", place)
    collector.reply = {"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too old"}}
    said = cli("runs", "export", "--otlp")
    assert (said.code, "refused some spans: too old" in said.err) == (1, True)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    assert "calmkb sends http/json" in cli("runs", "export", "--otlp").err


ADDRESSES = [
    "http://[::1",
    "http://h:port",
    "http://:4318",
    "http://u:hunted@127.0.0.1",
    "file:///a",
]
REPLIES = [b"[1]", b"[" * 60_000, b"5", b'{"partialSuccess": [1]}', b"\xff", b"<p>no JSON",
           b'{"code": 7, "message": "denied"}', b'{"error": "denied"}',
           b'{"partialSuccess": {"rejectedSpans": Infinity}}',
           b'{"partialSuccess": {"rejectedSpans": [1]}}']  # fmt: skip


def test_an_odd_collector_is_named_and_no_success(project, cli, collector, monkeypatch):  # noqa: F811
    ran(project, cli)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "9" * 5_000)
    for address in ADDRESSES:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        said = cli("runs", "export", "--otlp")
        assert (said.code, "hunted" in said.err) == (1, False), said.err
    place = f"http://127.0.0.1:{collector.server_port}"
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", place)
    for collector.reply in REPLIES:
        said = cli("runs", "export", "--otlp")
        assert (said.code, said.err.startswith("Error: the collector at 127")) == (1, True)
        assert repr(collector.reply[:9].decode(errors="replace"))[:-1] in said.err
    collector.reply, collector.lacks = b"", 5
    assert "its answer is cut off" in cli("runs", "export", "--otlp").err


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_collector_that_redirects_gets_no_second_request(
    project,  # noqa: F811
    cli,  # noqa: F811
    collector,
    monkeypatch,
    status,
):
    ran(project, cli)
    place = f"http://127.0.0.1:{collector.server_port}"
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", place)
    collector.status = status
    said = cli("runs", "export", "--otlp")
    assert (said.code, "Exported" in said.err, len(collector.headers)) == (1, False, 1)
