"""OpenTelemetry logs of Claude Code, as a collector writes them, become runs."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from calmkb.runs.formats.otel_events import read_logs
from calmkb.runs.formats.otel_runs import run_of
from tests.cli.conftest import cli, project  # noqa: F401 - fixtures

AT = 1_790_000_000_000_000_000
SESSION = "0a1b2c3d-0000-4000-8000-000000000001"
KINDS = {str: "stringValue", int: "intValue", float: "doubleValue", bool: "boolValue"}
KEY = "gh" + "p_" + "c4N4ryC4n4ry" * 3


def record(seconds, name, *, body=True, session=SESSION, prompt="p1", **fields):
    fields = {"session.id": session, "prompt.id": prompt, "event.name": name} | fields
    attributes = [{"key": key, "value": {KINDS[type(value)]: value}}
                  for key, value in fields.items()]  # fmt: skip
    words = {"body": {"stringValue": f"claude_code.{name}"}} if body else {}
    return {"timeUnixNano": str(AT + seconds * 10**9), "attributes": attributes, **words}


def line(*records, resource=(), scope="com.anthropic.claude_code.events"):
    about = [{"key": key, "value": {"stringValue": value}} for key, value in resource]
    scopes = [{"scope": {"name": scope}, "logRecords": records}]
    return json.dumps({"resourceLogs": [{"resource": {"attributes": about}, "scopeLogs": scopes}]})


FIRST = [
    record(0, "user_prompt", prompt_length="30", **{"event.sequence": 1}) | {},
    record(4, "api_request", model="claude-x-1", input_tokens="10", output_tokens="5",
           cache_read_tokens="900", cache_creation_tokens="50", cost_usd="0.25",
           duration_ms="4000"),
    record(6, "tool_result", tool_name="Bash", success="true", duration_ms="2000",
           tool_use_id="t1", tool_input=json.dumps({"command": f"curl -H {KEY}"})),
    record(7, "tool_result", body=False, tool_name="Read", success=False, duration_ms=1500,
           tool_use_id="t2", error="no such file"),
    record(9, "api_request", body=False, model="claude-x-1", input_tokens=20, output_tokens=7,
           cost_usd=0.5),
]  # fmt: skip
SECOND = [
    record(60, "user_prompt", prompt="p2"),
    record(61, "api_error", prompt="p2", error="overloaded", status_code="529"),
]
OTHERS = line(
    {"timeUnixNano": str(AT), "body": {"stringValue": "codex.api_request"},
     "attributes": [{"key": "event.name", "value": {"stringValue": "codex.api_request"}}]},
    scope="codex",
)  # fmt: skip


def written(folder: Path, *lines: str) -> str:
    (folder / "logs.jsonl").write_text("".join(f"{one}\n" for one in lines))
    return "logs.jsonl"


def test_prompts_of_claude_code_become_runs_with_cost_and_tools(project, cli):  # noqa: F811
    asked = {"key": "prompt", "value": {"stringValue": f"Fix it with {KEY}"}}
    first = [{**FIRST[0], "attributes": [*FIRST[0]["attributes"], asked]}, *FIRST[1:]]
    file = written(project, line(*first[:3], resource=[("project", "till")]), OTHERS, "no json",
                   line(*first[2:]), line(*SECOND))  # fmt: skip
    said = cli("runs", "import", file)
    assert (said.code, said.out) == (
        0, "Imported 2 runs; 0 known already, 0 of the last hour\n")  # fmt: skip
    assert said.err == "1 lines are not OTLP logs and were skipped\n"
    used = cli("runs", "usage", "--by", "project").out
    assert used == (
        "(none)  1 runs  cost unknown  0 in (0 cached)  0 out\n"
        "till  1 runs  $0.75  980 in (900 cached)  12 out\n"
    )
    listed = cli("runs", "list").out.splitlines()
    assert [one.split()[1:3] for one in listed] == [
        ["failed", "claude-code"], ["completed", "claude-code"]]  # fmt: skip
    assert "(prompt not logged)" in listed[0] and "Fix it with" in listed[1]
    assert "c4N4" not in "".join(
        path.read_bytes().decode(errors="replace")
        for path in project.parent.rglob("runs.sqlite*")
        if path.is_file()
    )
    again = cli("runs", "import", file, "--project", "shop")
    assert again.out == "Imported 0 runs; 2 known already, 0 of the last hour\n"


def test_the_tools_of_a_prompt_are_entries_at_their_times():
    logs = read_logs([line(*FIRST)])
    (((session, prompt), events),) = logs.prompts.items()
    found = run_of(session, prompt, events, str)
    assert [one.entry_type for one in found.entries] == [
        "run:started", "tool:starting", "tool:starting", "tool:complete", "tool:complete",
        "run:complete",
    ]  # fmt: skip
    assert [one.sequence_number for one in found.entries] == [1, 2, 3, 4, 5, 6]
    failed = found.entries[4].data
    assert (failed["toolName"], failed["success"], failed["summary"], failed["durationMs"]) == (
        "Read", False, "no such file", 1500)  # fmt: skip
    assert [(e.created_at - found.run.started_at).total_seconds() for e in found.entries] == [
        0, 4, 5.5, 6, 7, 9]  # fmt: skip
    assert found.run.usage["model"] == "claude-x-1"
    assert found.session.status == "archived"


def test_a_prompt_of_the_last_hour_waits_and_a_missing_file_is_named(project, cli):  # noqa: F811
    now = record(0, "user_prompt") | {"timeUnixNano": "4000000000000000000"}
    said = cli("runs", "import", written(project, line(now)))
    assert said.out == "Imported 0 runs; 0 known already, 1 of the last hour\n"
    said = cli("runs", "import", "gone.jsonl")
    assert (said.code, "gone.jsonl cannot be read: No such file" in said.err) == (1, True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)
NAMES = st.sampled_from(["timeUnixNano", "attributes", "body", "key", "value", "stringValue",
                         "session.id", "event.name", "duration_ms", "cost_usd"])  # fmt: skip


@given(st.lists(st.dictionaries(NAMES, JSON), max_size=4), st.dictionaries(st.text(), JSON), JSON)
def test_no_log_breaks_the_import(records, fields, odd):
    named = [{"key": key, "value": {"stringValue": value}} for key, value in fields.items()]
    known = [record(n, name) for n, name in enumerate(("tool_result", "api_request"))]
    for one in known:
        one["attributes"] += [{"key": "duration_ms", "value": {"x": odd}}, *named]
    lines = [line(*records, *known), json.dumps({"resourceLogs": odd}), json.dumps(odd)]
    for (session, prompt), events in read_logs(lines).prompts.items():
        found = run_of(session, prompt, events, str)
        assert found.entries[-1].entry_type == "run:complete"
