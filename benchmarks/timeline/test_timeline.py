"""The benchmark of proposals over time, on a folder of two sessions."""

import json
import os
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[1] / "run.py"
PORT = "Start the database container before the end-to-end tests; without it they hang."
MONEY = "Write amounts as integers of cents; floats lose a cent in the export."


def session(folder, name, day, words):
    """Write a transcript of two lines that began and ended on a day."""
    at = f"2026-03-{day:02}T09:00:00Z"
    common = {"sessionId": name, "cwd": "/home/ada/shop", "timestamp": at, "isSidechain": False}
    said = {"role": "user", "content": words}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}
    lines = [
        {"type": "user", "uuid": "1", "message": said, **common},
        {"type": "assistant", "uuid": "2", "message": answer, **common},
    ]
    (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))


def rows(path, *objects):
    path.write_text("".join(f"{json.dumps(one)}\n" for one in objects))


def wrap_up(file, learning):
    return {"file": file, "summary": "Worked on the shop.", "friction_points": [],
            "next_steps": [], "learnings": [learning]}  # fmt: skip


def data(folder):
    """Return a data folder: two sessions, their wrap-ups, two rules, a verdict."""
    (folder / "sessions").mkdir(parents=True)
    session(folder / "sessions", "one", 2, "Please write the export of the shop's orders.")
    session(folder / "sessions", "two", 5, "Please run the end-to-end tests of the shop.")
    rows(folder / "wrapups.jsonl", wrap_up("one.jsonl", MONEY), wrap_up("two.jsonl", PORT))
    rows(
        folder / "rules.jsonl",
        {
            "date": "2026-03-04",
            "rule": "Write amounts as integers of cents.",
            "seen": ["one.jsonl:1"],
        },
        {"date": "2026-03-04", "rule": "Never push to main.", "seen": ["two.jsonl:1"]},
    )
    rows(folder / "proposals_judged.jsonl", {"text": PORT, "verdict": "keep"})
    return folder


def timeline(*words):
    """Return what the benchmark prints as lists of a table's columns."""
    command = [sys.executable, str(RUN), "timeline", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [
        [column.strip() for column in line.strip("|").split("|")]
        for line in done.stdout.splitlines()
        if line.startswith("| written")
    ]


def test_a_day_is_judged_by_what_came_before_it_alone(tmp_path):
    early, late, rules, _ = timeline(data(tmp_path / "data"), "--days", "1")
    assert (early[0], early[1], early[2]) == ("written, before 2026-03-05", "1", "none")
    assert (late[0], late[1]) == ("written, before the end", "2")
    assert late[2].startswith("1 of 1 ")
    # Only the first rule was met before the team wrote it down; the second nobody proposed.
    assert rules[1].startswith("1 of 1 ")
    assert rules[2].startswith("1 of 2 ")


def test_a_filled_sheet_is_counted_and_its_texts_are_not_asked_again(tmp_path):
    folder, sheet = data(tmp_path / "data"), tmp_path / "sheet.csv"
    timeline(folder, "--sheet", sheet)
    (asked,) = [line for line in sheet.read_text().splitlines() if MONEY in line]
    assert PORT not in sheet.read_text()
    sheet.write_text(sheet.read_text().replace(asked, f"noise{asked}"))
    *_, end, _, _ = timeline(folder, "--labels", sheet, "--days", "1")
    assert end[2].startswith("1 of 2 ")


def test_rules_come_from_the_history_of_a_repository(tmp_path):
    repository = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", repository], check=True)
    (repository / "CLAUDE.md").write_text("- Always write amounts as integers of cents here.\n")
    env = {**os.environ, "GIT_COMMITTER_DATE": "2026-03-04T09:00:00Z"}
    for words in (["add", "."], ["commit", "-qm", "Rules"]):
        subprocess.run(["git", *words], cwd=repository, check=True, env=env)
    *_, rules, _ = timeline(data(tmp_path / "data"), "--repository", repository)
    assert rules[1].startswith("1 of 1 ")
