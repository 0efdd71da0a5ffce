"""An agent that is asked at the end of a turn to write its session down, in the real client."""

import json

import pytest

PROMPTLY = ("--allowedTools", "Write Bash")


@pytest.fixture
def asked(claude):
    """Return a client in a project with a journal, whose person has switched it on."""
    (claude.project / "calmkb.toml").write_text("")
    claude.calmkb("agents", "wrapup", "--on")
    return claude


def writes(claude, name: str) -> dict:
    given = {"file_path": str(claude.project / name), "content": "pennies\n"}
    return {"tool": "Write", "input": given}


WRAP = {"tool": "Bash", "input": {"command": (
    "calmkb wrapup --agent claude-code --title 'The till rounds' --summary 'Rounded the till.'"
)}}  # fmt: skip


def test_it_is_asked_writes_its_session_down_and_stops(asked):
    work = (writes(asked, "a.py"), writes(asked, "b.py"), {"text": "Rounded."})
    session = asked.say("round it", *work, WRAP, {"text": "It is written."}, args=PROMPTLY)
    assert "the journal has no entry yet for 2 edits of this session" in asked.heard()
    (row,) = json.loads(asked.calmkb("session", "list", "--json"))["entries"]
    shown = json.loads(asked.calmkb("session", "show", row["id"], "--json"))
    assert (shown["summary"], shown["session_id"]) == ("Rounded the till.", session)
    asked.say("thanks", {"text": "At your service."}, args=("--resume", session))
    assert asked.heard().count("the journal has no entry yet") == 1


def test_one_that_refuses_stops_all_the_same(asked):
    work = (writes(asked, "a.py"), writes(asked, "b.py"), {"text": "Rounded."})
    asked.say("round it", *work, {"text": "No."}, args=PROMPTLY)
    assert asked.heard().count("the journal has no entry yet") == 1
    assert json.loads(asked.calmkb("session", "list", "--json"))["entries"] == []


def test_a_question_is_no_work_and_off_nobody_is_asked(asked):
    asked.say("what is this?", {"text": "A till."})
    assert "the journal has no entry" not in asked.heard()
    asked.calmkb("agents", "wrapup", "--off")
    work = (writes(asked, "a.py"), writes(asked, "b.py"), {"text": "Rounded."})
    asked.say("round it", *work, args=PROMPTLY)
    assert "the journal has no entry" not in asked.heard()
