"""What runs cost: read from each client's stream, kept, bounded, and added up."""

import asyncio
import json

import pytest

from calmkb.errors import RecordError
from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.wings.runs.agents.test_agents import carry_out, kinds, program, settings
from tests.wings.runs.support import done, make_kb, running

CACHED = {"cache_read_input_tokens": 900, "cache_creation_input_tokens": 50}


def claude(*, answers=2, result=True):
    """Return a program that answers like Claude Code; each answer comes as two lines."""
    events = [{"type": "system", "subtype": "init", "model": "claude-x-1"}]
    for n in range(answers):
        used = {"input_tokens": 50, "output_tokens": 10, **CACHED}
        for text in ("one", "two"):
            message = {"id": f"m{n}", "model": "claude-x-1", "usage": used,
                       "content": [{"type": "text", "text": f"{text} {n}"}]}  # fmt: skip
            events.append({"type": "assistant", "message": message})
    models = {"inputTokens": 120, "outputTokens": 30, "cacheReadInputTokens": 1800,
              "cacheCreationInputTokens": 100, "costUSD": 0.25}  # fmt: skip
    if result:
        events.append({"type": "result", "is_error": False, "result": "Done.",
                       "total_cost_usd": 0.25, "modelUsage": {"claude-x-1": models}})  # fmt: skip
    return said(events)


def said(events):
    return (
        "import sys\nsys.stdin.read()\n"
        f"for line in {[json.dumps(event) for event in events]!r}: print(line, flush=True)\n"
    )


CODEX = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "turn.started"},
    {"type": "item.started", "item": {"id": "i1", "type": "command_execution", "command": "ls",
                                      "aggregated_output": "", "status": "in_progress"}},
    {"type": "item.completed", "item": {"id": "i1", "type": "command_execution", "command": "ls",
                                        "aggregated_output": "no such file\n", "exit_code": 2,
                                        "status": "failed"}},
    {"type": "item.completed", "item": {"id": "i2", "type": "agent_message", "text": "It fails."}},
    {"type": "turn.completed", "usage": {"input_tokens": 1000, "cached_input_tokens": 800,
                                         "output_tokens": 40}},
]  # fmt: skip
GEMINI = [
    {"type": "init", "session_id": "s", "model": "gemini-x"},
    {"type": "message", "role": "user", "content": "Do it."},
    {"type": "message", "role": "assistant", "content": "I ", "delta": True},
    {"type": "message", "role": "assistant", "content": "look.", "delta": True},
    {"type": "tool_use", "tool_name": "ls", "tool_id": "a", "parameters": {"path": "."}},
    {"type": "tool_result", "tool_id": "a", "status": "success", "output": "a.py"},
    {"type": "message", "role": "assistant", "content": "Done.", "delta": True},
    {"type": "result", "status": "success", "stats": {"total_tokens": 550, "input_tokens": 500,
                                                      "output_tokens": 50, "cached": 100}},
]  # fmt: skip


def test_what_claude_reports_at_its_end_is_kept_with_the_run(tmp_path):
    text = settings(program(tmp_path, claude()), format="claude-stream-json")
    ((run, _),) = carry_out(tmp_path, text)
    assert run.usage == {
        "model": "claude-x-1", "inputTokens": 2020, "outputTokens": 30,
        "cacheReadTokens": 1800, "cacheWriteTokens": 100, "costUsd": 0.25,
    }  # fmt: skip
    assert run.project == "shop"


def test_an_answer_in_several_lines_counts_once_and_is_kept_without_an_end(tmp_path):
    body = claude(result=False) + "sys.exit('no credit')"
    text = settings(program(tmp_path, body), format="claude-stream-json")
    ((run, _),) = carry_out(tmp_path, text)
    assert (run.status, run.usage["inputTokens"], run.usage["outputTokens"]) == ("failed", 2000, 20)


def test_codex_and_gemini_become_entries_and_tokens_too(tmp_path):
    ((run, entries),) = carry_out(
        tmp_path, settings(program(tmp_path, said(CODEX)), format="codex-json")
    )
    assert kinds(entries) == ["run:started", "tool:starting", "tool:complete", "step:complete",
                              "text", "run:complete"]  # fmt: skip
    (tool,) = (e.data for e in entries if e.entry_type == "tool:complete")
    assert (tool["toolName"], tool["success"], tool["summary"]) == ("shell", False, "no such file")
    assert tool["durationMs"] >= 0
    assert (run.status, run.usage["inputTokens"], run.usage["cacheReadTokens"]) == (
        "completed", 1000, 800)  # fmt: skip
    ((run, entries),) = carry_out(
        tmp_path, settings(program(tmp_path, said(GEMINI)), format="gemini-stream-json")
    )
    assert [e.data["text"] for e in entries if e.entry_type == "text"] == ["I look.", "Done."]
    assert (run.usage["model"], run.usage["outputTokens"], run.usage["costUsd"]) == (
        "gemini-x", 50, None)  # fmt: skip


def test_a_run_over_its_budget_of_tokens_is_stopped_in_its_middle(tmp_path):
    body = claude(answers=5).replace("flush=True)\n", "flush=True)\nimport time; time.sleep(600)")
    text = settings(program(tmp_path, body), format="claude-stream-json")
    ((run, entries),) = carry_out(tmp_path, text, config={"maxTokens": 2500})
    assert run.status == "failed"
    assert run.result["error"] == "stopped after 3,030 tokens, over its budget of 2,500"
    assert "one 4" not in [e.data.get("text") for e in entries]


def test_a_budget_of_money_is_given_to_claude_and_checked_at_its_end(tmp_path):
    body = claude() + "print(sys.argv[1:], file=open('args', 'w'))"
    text = settings(program(tmp_path, body), format="claude-stream-json")
    ((run, _),) = carry_out(tmp_path, text, config={"maxCost": 0.5})
    assert run.status == "completed"
    assert (tmp_path / "shop/args").read_text() == "['--max-budget-usd', '0.5']\n"
    ((run, _),) = carry_out(tmp_path, text, config={"maxCost": 0.2})
    assert run.result["error"] == "stopped after $0.2500, over its budget of $0.2"


@pytest.mark.parametrize(
    ("format_", "config", "told"),
    [("lines", {"maxTokens": 5}, "plain lines"), ("codex-json", {"maxCost": 1}, "maxTokens")],
)
def test_a_budget_that_cannot_be_kept_is_refused(tmp_path, format_, config, told):
    kb = make_kb(tmp_path, settings("true", format=format_))

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            session = await journal.create_session("tried")
            with pytest.raises(RecordError, match=told):
                await done(runner, journal, session.id, "x", config)
            return await journal.list_runs(session.id)

    assert asyncio.run(main()) == []
