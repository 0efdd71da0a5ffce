"""A transcript in short: who reads it learns what was said, done and what failed."""

import json

from calmkb.capture.condense import LIMIT, condense
from calmkb.capture.formats.table import read_transcript
from tests.capture.support import DATA, agent, shell, text, user, write


def test_a_session_is_told_in_a_line_each(tmp_path):
    path = write(
        tmp_path,
        user("Round the till.\nPlease."),
        agent(text("I look at it.")),
        *shell(1, "pytest -q", "12 passed"),
        *shell(2, "npm test", "npm ERR! missing script", failed=True),
        agent(text("Done.")),
    )
    assert condense(read_transcript(path)).split("\n") == [
        "person: Round the till. Please.",
        "agent: I look at it.",
        "agent runs Bash: pytest -q",
        "agent runs Bash: npm test",
        "Bash failed: Exit code 1 npm ERR! missing script",
        "agent: Done.",
    ]


def test_a_long_session_keeps_its_beginning_and_its_end(tmp_path):
    many = [user(f"Prompt number {n}. " + "word " * 200) for n in range(500)]
    short = condense(read_transcript(write(tmp_path, *many)))
    assert len(short) < LIMIT + 100
    assert short.startswith("person: Prompt number 0.")
    assert "Prompt number 499." in short
    assert "characters left out" in short


def test_real_sessions_become_readable(tmp_path):
    for path in DATA.glob("*.jsonl"):
        short = condense(read_transcript(path))
        assert len(short) < LIMIT + 100
        assert not any(line.startswith("{") and json.loads(line) for line in short.split("\n"))
