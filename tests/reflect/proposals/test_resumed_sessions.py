"""A resumed or forked session repeats another one's lines: together they are one witness."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import read_transcript
from calmkb.model import Entry, Evidence, SessionView
from calmkb.model.sessions.entries import imported_id, threads
from calmkb.reflect.memories.backtest import Met
from calmkb.reflect.memories.backtest import backtest as judged
from calmkb.reflect.memories.recurrence import troubles_met
from calmkb.reflect.proposals.propose import propose
from calmkb.reflect.statements.next_steps import next_steps
from calmkb.reflect.statements.statements import statements_of
from calmkb.reflect.themes.themes import themes
from tests.reflect.memories.test_backtest import proposal

CAUSE = "Root cause: the fixture starts the server too late, after the page was asked for."
AGAIN = "Root cause: the migration of the orders table drops a column that the report reads."


def at(minute: int) -> str:
    return f"2026-11-20T10:{minute:02}:00.000Z"


def claude(folder: Path, name: str, *said: tuple[str, str, str], start: int = 0) -> Path:
    """Write a session: (role, text, id) a line, one a minute."""
    rows = []
    for number, (role, text, key) in enumerate(said, start):
        message = {"role": role, "content": [{"type": "text", "text": text}]}
        more = {"isCompactSummary": True} if key == "compaction" else {}
        rows.append({
            "type": role, "uuid": f"{name}-{number}", "sessionId": name, "cwd": "/home/ada/shop",
            "timestamp": at(number), "message": message | ({"id": key} if key else {}), **more,
        })  # fmt: skip
    return _written(folder / f"{name}.jsonl", rows)


def codex(folder: Path, name: str, *said: tuple[str, str], fork: bool = False) -> Path:
    """Write a rollout; a fork writes the lines of its thread again, with the times of its own."""
    own = {"id": name, "timestamp": at(30), "cwd": "/home/ada/shop", "forked_from_id": "first"}
    head = {"id": "first", "timestamp": at(0), "cwd": "/home/ada/shop"}
    rows = [{"timestamp": at(30 * fork), "type": "session_meta", "payload": one}
            for one in ([own, head] if fork else [head])]  # fmt: skip
    for number, (role, text) in enumerate(said, 30 * fork + 1):
        kind = "input_text" if role == "user" else "output_text"
        message = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        rows.append({"timestamp": at(number), "type": "response_item", "payload": message})
    return _written(folder / f"rollout-{name}.jsonl", rows)


def gemini(folder: Path, name: str, *said: tuple[str, str, str]) -> Path:
    rows = [{"sessionId": name, "projectHash": "5eb9", "startTime": at(0)}]
    for number, (kind, text, key) in enumerate(said, 1):
        rows.append({"id": key, "timestamp": at(number), "type": kind, "content": text})
    return _written(folder / f"session-{name}.jsonl", rows)


def _written(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def views(*paths: Path, reflected: int = 0) -> list[SessionView]:
    found = []
    for number, path in enumerate(paths, 1):
        made = draft(read_transcript(path))
        entry = Entry(
            id=str(UUID(int=number, version=4)), project_name="shop", summary=made.summary,
            created_at=datetime(2026, 11, 20, tzinfo=UTC) + timedelta(days=number),
            friction_points=made.friction_points, next_steps=made.next_steps, agent=made.agent,
            session_id=made.session_id, thread=made.thread,
        )  # fmt: skip
        found.append(SessionView(entry=entry, reflected_at=entry.created_at
                                 if number <= reflected else None))  # fmt: skip
    return found


BEGUN = (("user", "Fix the flaky login test.", ""), ("assistant", CAUSE, "msg_1"))
GONE_ON = (("user", "Go on with the logout test.", ""), ("assistant", "It passes now.", "msg_2"))


def resumed(folder: Path, agent: str) -> tuple[Path, Path]:
    said = [(role, text) for role, text, _ in (*BEGUN, *GONE_ON)]
    if agent == "codex":
        return codex(folder, "first", *said[:2]), codex(folder, "second", *said, fork=True)
    if agent == "gemini":
        rows = [("user" if role == "user" else "gemini", text, f"m{number}")
                for number, (role, text) in enumerate(said)]  # fmt: skip
        return gemini(folder, "first", *rows[:2]), gemini(folder, "second", *rows)
    return claude(folder, "first", *BEGUN), claude(folder, "second", *BEGUN, *GONE_ON)


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_what_a_resumed_session_repeats_is_evidence_of_one(tmp_path, agent):
    pair = views(*resumed(tmp_path, agent))
    (found,) = propose(statements_of(pair), [], [], duplicate=0.55).open
    assert {one.source for one in found.evidence} == {pair[0].entry.id}
    assert found.confidence == "low"
    (theme,) = themes(statements_of(pair), [])
    assert theme.sessions == 1


def test_two_sessions_of_their_own_stay_two_witnesses(tmp_path):
    first = claude(tmp_path, "first", *BEGUN)
    other = claude(tmp_path, "other", *BEGUN, start=7)
    (found,) = propose(statements_of(views(first, other)), [], [], duplicate=0.55).open
    assert (len({one.source for one in found.evidence}), found.confidence) == (2, "medium")


def test_a_session_resumed_after_a_compaction_is_known_again(tmp_path):
    summary = ("user", "This session is being continued from a previous conversation: …", "")
    asked = ("user", "Why does the report fail?", "")
    whole = (*BEGUN, summary, asked, ("assistant", AGAIN, "msg_3"))
    first = claude(tmp_path, "first", *whole)
    second = claude(tmp_path, "second", *whole[2:], *GONE_ON, start=2)
    told = [one.text for one in statements_of(views(first, second)) if one.friction]
    assert len(told) == 2
    assert len(set(told)) == 2


def test_what_a_resumed_session_says_anew_is_kept(tmp_path):
    first = claude(tmp_path, "first", *BEGUN)
    more = (("user", "Now the report.", ""), ("assistant", AGAIN, "msg_3"))
    pair = views(first, claude(tmp_path, "second", *BEGUN, *more), reflected=1)
    (found,) = propose(statements_of(pair), [], [], duplicate=0.55).open
    assert "migration" in found.text


def test_a_resumed_session_brings_back_nothing_that_was_reflected_on(tmp_path):
    pair = views(*resumed(tmp_path, "claude"), reflected=1)
    assert propose(statements_of(pair), [], [], duplicate=0.55).open == ()


def test_a_resumed_session_is_no_later_one_that_met_the_trouble_again(tmp_path):
    pair = views(*resumed(tmp_path, "claude"))
    roots = threads(view.entry for view in pair)
    first, _ = sessions = [view.entry for view in pair]
    met = {one.id: Met(one.created_at, "shop", one.session_id, roots[one.id]) for one in sessions}
    quote = first.friction_points[0]
    evidence = (Evidence(quote=quote, source=first.id, date="2026-11-21", project="shop"),)
    lesson = proposal("Start the server first.", scope="shop", evidence=evidence)
    (found,) = judged([lesson], troubles_met([lesson], statements_of(pair)), met)
    assert found.met == found.possible == ()


def ran(number: int, thread: str, *, step: str = "") -> SessionView:
    entry = Entry(
        id=str(UUID(int=number, version=4)), project_name="shop", agent="claude-code",
        created_at=datetime(2026, 11, number, tzinfo=UTC), session_id=f"s{number}",
        summary="Fixed it. Ran `tox -e unit` (passed).", thread=(thread,),
        next_steps=(step,) if step else (),
    )  # fmt: skip
    return SessionView(entry=replace(entry, id=imported_id(entry.agent, entry.session_id)))


def test_a_step_that_a_resumed_session_repeats_was_named_once():
    step = "Write the changelog entry for the new lock file."
    entries = [ran(number, "0" * 16, step=step).entry for number in (1, 2)]
    (found,) = next_steps(entries, [])
    assert found.times == 1
