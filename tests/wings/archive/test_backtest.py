"""`calmkb backtest`: what a lesson would have saved, told by the sessions that met it again."""

import json
from typing import Any

import pytest

from tests.capture.support import agent, call, result, text, user

pytestmark = pytest.mark.usefixtures("forked_background")
FAULT = 'npm error code EUNSUPPORTEDPROTOCOL\nnpm error Unsupported URL Type "workspace:": *'


def used(number: int, row: dict[str, Any], tokens: int = 100) -> dict[str, Any]:
    """Return an agent's line with the usage that its client notes beside it."""
    usage = {"input_tokens": tokens, "cache_read_input_tokens": 90_000, "output_tokens": 10}
    return row | {"message": row["message"] | {"id": f"m{number}", "usage": usage}}


def met(prompt: str) -> tuple[dict[str, Any], ...]:
    """Return a session that ran npm twice in vain, and then pnpm."""
    return (
        user(prompt),
        used(1, agent(call("t1", "Bash", command="npm install"))),
        result("t1", FAULT, failed=True),
        used(2, agent(call("t2", "Bash", command="npm install"))),
        result("t2", FAULT, failed=True),
        used(3, agent(call("t3", "Bash", command="pnpm install"))),
        result("t3", "Done in 2s"),
        used(4, agent(text("Installed with pnpm: the workspace protocol is its own."))),
    )


@pytest.fixture
def three(session, cli):
    """Three sessions that met one trouble, imported and kept, a day apart."""
    for day, name in enumerate(("one", "two", "three"), 1):
        rows = met(f"Install what the shop needs, part {name}.")
        stamped = [r | {"timestamp": f"2026-03-0{day}T10:{n:02}:00Z"} for n, r in enumerate(rows)]
        session(f"{name}-4e4a", *stamped)
    assert cli("keep").code == 0  # before the import, which has them kept in the background too
    assert cli("import", "claude").code == 0


@pytest.fixture
def approve(cli, tmp_path):
    """Return a function that accepts the first proposal and returns the memory's id."""

    def call() -> str:
        waiting = json.loads(cli("reflect", "--json").out)
        for proposal in waiting["proposals"]:
            proposal["decision"] = "accept"
        decided = tmp_path / "decided.json"
        decided.write_text(json.dumps(waiting))
        assert cli("reflect", "--apply", str(decided)).code == 0
        return json.loads(cli("memory", "list", "--json").out)["memories"][0]["id"]

    return call


def test_a_proposal_tells_which_later_sessions_met_its_trouble_and_what_it_cost(three, cli):
    (found,) = json.loads(cli("backtest", "--json", "--price", "10").out)["backtests"]
    assert (found["approved_at"], found["since"][:10], found["sessions"]) == (None, "2026-03-01", 2)
    assert [one["date"] for one in found["met"]] == ["2026-03-02", "2026-03-03"]
    # Two calls of 110 tokens each; what came from the cache costs next to nothing.
    assert found["met"][0]["cost"] == {"turns": 2, "minutes": 3.0, "tokens": 220}
    assert found["saved"] == {"turns": 4, "minutes": 6.0, "tokens": 440, "dollars": 0.0044}
    said = cli("backtest").out
    assert f"{found['id'][:8]}          2      4       -  If `npm install` fails" in said
    said = cli("backtest", found["id"][:8], "--price", "10").out
    assert "Would have saved: 2 sessions; 4 turns, 6 min, 440 tokens, $0.00 at $10 a mill" in said
    assert "  - 2026-03-02 " in said
    assert "(2 turns, 3 min, 220 tokens): `npm install` failed (2 times)" in said


def test_a_review_says_what_a_proposal_would_have_saved(three, cli):
    said = " ".join(cli("reflect", "--dry-run").out.split())
    assert "2 later sessions hit the same problem, about 4 turns lost" in said
    (one,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert one["backtest"] == {"met": 2, "possible": 0, "turns": 4}


def test_an_approved_memory_shows_the_turns_that_its_trouble_cost_before(three, cli, approve):
    identity = approve()
    said = " ".join(cli("memory", "show", identity).out.split())
    assert "turns lost: 2 a session before (known of 2)" in said
    found = json.loads(cli("memory", "show", identity, "--json").out)["backtest"]
    assert (found["saved"]["turns"], found["verdict"]) == (4, "too early")


def test_a_memory_added_by_hand_was_met_in_no_session_first(three, cli):
    assert cli("memory", "add", "Prices are in cents.", "--category", "fact").code == 0
    identity = json.loads(cli("memory", "list", "--json").out)["memories"][0]["id"]
    assert "Cites no session, approved 20" in cli("backtest", identity).out


def test_a_session_that_is_not_kept_has_an_unknown_cost(three, cli):
    assert cli("keep", "--remove", "--yes").code == 0
    (found,) = json.loads(cli("backtest", "--json").out)["backtests"]
    assert (len(found["met"]), found["saved"], found["located"]) == (2, None, 0)
    assert "2 sessions; what it cost is not known" in cli("backtest", found["id"]).out


def test_copies_that_cannot_be_read_leave_the_cost_unknown_and_the_review_whole(three, cli, home):
    cli("keep", "--off")  # what the import began would keep them again
    for path in (home / ".calm/archive").rglob("*"):
        if path.is_file():
            path.write_bytes(b"\0 no archive any more")
    (found,) = json.loads(cli("backtest", "--json").out)["backtests"]
    assert (len(found["met"]), found["saved"]) == (2, None)
    assert cli("reflect", "--dry-run").code == 0


def test_a_name_that_begins_nothing_is_an_error_and_an_empty_journal_is_none(project, cli):
    assert "Nothing to test" in cli("backtest").out
    said = cli("backtest", "nowhere")
    assert (said.code, "nowhere" in said.err) == (1, True)
