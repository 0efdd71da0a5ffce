"""Agents of Codex and Gemini CLI, asked in the real clients to write their session down."""

import json

from tests.clients.conftest import CALMKB

ASKED = "the journal has no entry yet for 2 edits of this session"


def work(client) -> tuple:
    return client.edit("a.py"), client.edit("b.py"), {"text": "Rounded"}


def wrap(client) -> dict:
    words = "--title 'The till rounds' --summary 'Rounded the till.'"
    return client.shell(f"{CALMKB} wrapup --agent {client.name} --session-id ASKED {words}")


def test_it_is_asked_writes_its_session_down_and_stops(client):
    child = client.at_terminal()
    client.says(child, "round it", *work(client), wrap(client), {"text": "Written"})
    assert client.model.heard().count(ASKED) == 1
    (row,) = client.entries()
    shown = json.loads(client.calmkb("session", "show", row["id"], "--json"))
    (note,) = (client.home / ".calm/asked").iterdir()
    assert (shown["agent"], shown["summary"]) == (client.name, "Rounded the till.")
    assert note.read_text().endswith(f"{client.name} {shown['session_id']}\n")
    client.says(child, "thank you", {"text": "Welcome"})
    assert client.model.heard().count(ASKED) == 1


def test_one_that_refuses_stops_all_the_same(client):
    child = client.at_terminal()
    client.says(child, "round it", *work(client), {"text": "Refused"})
    client.says(child, "thank you", {"text": "Welcome"})
    assert client.model.heard().count(ASKED) == 1
    assert client.entries() == []


def test_a_question_is_no_work_and_off_nobody_is_asked(client):
    child = client.at_terminal()
    client.says(child, "what is this", {"text": "Tilling"})
    client.calmkb("agents", "wrapup", "--off")
    client.says(child, "round it", *work(client))
    client.says(child, "thank you", {"text": "Welcome"})
    assert "the journal has no entry" not in client.model.heard()


def test_a_program_is_not_asked(client):
    client.run("round it", *work(client))
    assert len(client.model.requests) == 3
    assert "the journal has no entry" not in client.model.heard()
