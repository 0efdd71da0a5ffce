"""`calmkb signal` and `calmkb statusline`: JSON in, JSON out, and exit 1 for a person's fault."""

import json
import os
from datetime import timedelta

import pytest

from tests.signals.samples import NOW, failure, fields
from tests.warm import without_terminal


def test_append_prints_the_complete_entry(cli):
    said = cli("signal", "append", json.dumps(fields("use ü", tags=["a"])))
    kept = json.loads(said.out)
    assert (said.code, kept["content"], kept["tags"], kept["promoted_to"]) == (
        0, "use ü", ["a"], None,
    )  # fmt: skip
    assert json.loads(cli("signal", "get", kept["id"]).out) == kept


def test_append_reads_standard_input(tmp_path):
    env = os.environ | {"REFLECTIONS_DIR": str(tmp_path)}
    for arguments in ([], ["-"]):
        done = without_terminal("signal", "append", *arguments, said=json.dumps(fields()), env=env)
        assert done.returncode == 0
        assert json.loads(done.stdout)["type"] == "correction"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["append", "{"], "this is not JSON"),
        (["append", "[]"], "give a JSON object"),
        (["append", '{"type": "correction"}'], "lacks 'content'"),
        (["append", '{"type": "hunch", "content": "x"}'], "choose from: failure"),
        (["get", "SIG-20260101-0001"], "no signal 'SIG-20260101-0001'"),
        (["update", "SIG-20260101-0001", "{}"], "no signal 'SIG-20260101-0001'"),
        (["promote", "SIG-20260101-0001", "CLAUDE.md", "x"], "no signal 'SIG-20260101-0001'"),
        (["query", "--status", "done"], "'done' is not one of"),
        (["query", "--since", "noon"], "invalid time 'noon'"),
        (["archive", "--days", "-1"], "-1 is not in the range"),
    ],
)
def test_a_person_s_fault_is_told_with_exit_1(cli, arguments, told):
    said = cli("signal", *arguments)
    assert (said.code, said.out) == (1, "")
    assert told in said.err


def test_queries_narrow_by_every_option(cli, store):
    store.append(fields("first", tags=["a", "b"]), now=NOW - timedelta(days=1))
    store.append(fields("second", type="failure", session_id="other"), now=NOW)

    def found(*asked):
        return [one["content"] for one in json.loads(cli("signal", "query", *asked).out)]

    assert found() == ["first", "second"]
    assert found("--tags", "b, a") == ["first"]
    assert found("--type", "failure") == found("--session", "other") == ["second"]
    assert found("--since", "2026-11-20") == found("--since", "2026-11-20T13:00:00+01:00")
    assert found("--status", "promoted") == found("--since", "2099-01-01") == []
    assert found("--status", "captured", "--type", "failure") == ["second"]
    assert found("--status", "captured") == ["first", "second"]


def test_a_query_takes_one_or_more_tags(cli, store):
    many = [
        fields("one", tags=["a", "b"]),
        fields("two", tags=["b"]),
        fields("three", tags=["c d"]),
    ]
    store.append_many(many, now=NOW)

    def found(*words):
        return [one["content"] for one in json.loads(cli("signal", "query", *words).out)]

    assert found("--tags", "a", "b") == found("--tags", "b", "a", "--type", "correction") == ["one"]
    assert found("--tags", "a,b") == ["one"]
    assert found("--tags", "b") == ["one", "two"]
    assert found("--tags", "c d") == ["three"]
    said = cli("signal", "query", "b")
    assert (said.code, "give words after --tags" in said.err) == (1, True)


def test_a_query_takes_the_queue_in_and_names_broken_lines(cli, store):
    (store.folder / "queue").mkdir(parents=True)
    (store.folder / "queue/PostToolUseFailure-1-1-0.json").write_text(json.dumps(failure()))
    store.path.write_text("not JSON\n")
    said = cli("signal", "query")
    assert [one["type"] for one in json.loads(said.out)] == ["failure"]
    assert "signals.jsonl:1: this line is not JSON" in said.err


def test_a_signal_is_changed_promoted_counted_and_archived(cli, store):
    first = store.append(fields(category="Commands"), now=NOW)
    store.append(fields(), now=NOW)
    said = cli("signal", "update", first.id, '{"status": "analyzed", "confidence": 3}')
    changed = json.loads(said.out)
    assert (changed["status"], changed["confidence"]) == ("analyzed", 3)
    assert changed["content"] == first.content
    assert cli("signal", "stats", "--format", "statusline").out == "reflect: 1 pending\n"
    cli("signal", "update", first.id, '{"status": "captured"}')
    store.append(fields(type="summary"), now=NOW)
    assert cli("signal", "stats", "--format", "statusline").out == "reflect: 2 pending\n"
    done = json.loads(cli("signal", "promote", first.id, "CLAUDE.md", "Use pnpm").out)
    assert done["learning"].startswith("LRN-")
    assert json.loads(cli("signal", "stats").out) == {
        "total": 3,
        "by_status": {"captured": 2, "promoted": 1},
        "by_type": {"correction": 2, "summary": 1},
        "by_category": {"Commands": 1, "uncategorized": 2},
    }
    said = cli("signal", "archive", "--days", "0", "--status", "dismissed")
    assert json.loads(said.out) == {"removed": 0}
    assert json.loads(cli("signal", "archive", "--days", "0").out) == {"removed": 2}
    assert cli("signal", "stats", "--format", "statusline").out == ""


def statusline(state, *arguments, said=b'{"cwd": "/srv"}'):
    env = os.environ | {"REFLECTIONS_DIR": str(state)}
    done = without_terminal("statusline", *arguments, said=said, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_the_status_line_counts_what_waits_and_is_silent_at_none(store):
    assert statusline(store.folder) == ""
    for status in ("captured", "analyzed", "promoted", "dismissed", "confirmed"):
        store.append(fields('it says "captured"', status=status), now=NOW)
    with store.path.open("a") as file:
        file.write('"captured"\n{"status":"captured"\n')
    assert statusline(store.folder) == "reflect: 1 pending\n"


def test_the_status_line_reaches_zero_although_sessions_have_ended(store):
    store.append(fields(type="summary"), now=NOW)
    assert statusline(store.folder) == ""


def test_a_command_that_a_hook_heard_is_counted_and_a_review_does_not_ask_about_it(cli, store):
    heard = {"hook": "PreCompact", "turn": 3}
    store.append(fields("make test", type="command", source=heard), now=NOW)
    assert json.loads(cli("signal", "stats").out)["by_type"] == {"command": 1}
    assert statusline(store.folder) == ""
    assert cli("reflect", "--signals").out == "Nothing to reflect on.\n"
    store.append(fields("make check", type="command"), now=NOW)
    assert statusline(store.folder) == "reflect: 1 pending\n"
    asked = json.loads(cli("reflect", "--signals", "--json").out)["items"]
    assert [one["text"] for one in asked] == ["`make check`"]


def test_the_status_line_stands_after_another(store):
    assert statusline(store.folder, "--with", "cat; echo x >&2; exit 3") == '{"cwd": "/srv"}\n'
    store.append(fields(), now=NOW)
    assert statusline(store.folder, "--with", "echo main") == "main · reflect: 1 pending\n"
    assert statusline(store.folder, "--with", "no-such-program") == "reflect: 1 pending\n"
