"""The benchmark as a command, on a folder of two invented sessions."""

import os
import subprocess
import sys
from pathlib import Path

from timeline.invented import MONEY, PORT, agent, person, rows, session, wrap_up

RUN = Path(__file__).parents[1] / "run.py"


def data(folder):
    """Return a data folder: two sessions, their wrap-ups, two rules, a verdict."""
    orders, tests = "Please write the export of the orders.", "Please run the end-to-end tests."
    session(folder / "sessions", "one", 2, person(orders), agent("Done."))
    session(folder / "sessions", "two", 5, person(tests), agent("Done."))
    rows(folder / "wrapups.jsonl", wrap_up("one.jsonl", MONEY), wrap_up("two.jsonl", PORT))
    day = {"date": "2026-03-04"}
    rows(
        folder / "rules.jsonl",
        {**day, "rule": "Write amounts as integers of cents.", "seen": ["one.jsonl:1"]},
        {**day, "rule": "Never push to main.", "seen": ["two.jsonl:1"]},
    )
    rows(folder / "proposals_judged.jsonl", {"text": PORT, "verdict": "keep"})
    return folder


def timeline(*words):
    """Return the rows of calmkb from wrap-ups that the benchmark prints, as lists of columns."""
    command = [sys.executable, str(RUN), "timeline", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [
        [column.strip() for column in line.strip("|").split("|")][2:]
        for line in done.stdout.splitlines()
        if line.startswith("| wrap-ups | calmkb |")
    ]


def test_a_day_is_judged_by_what_came_before_it_alone(tmp_path):
    early, late, rules = timeline(data(tmp_path / "data"), "--days", "1")
    assert early[:3] == ["2026-03-05", "1", "none"]
    assert late[:2] == ["the end", "2"]
    assert late[2].startswith("1 of 1 ")
    # Only the first rule was met before the team wrote it down; the second nobody proposed.
    assert [cell[:6] for cell in rules] == ["1 of 1", "1 of 1", "1 of 2", "1 of 2"]


def test_a_filled_sheet_is_counted_and_its_texts_are_not_asked_again(tmp_path):
    folder, sheet = data(tmp_path / "data"), tmp_path / "sheet.csv"
    timeline(folder, "--sheet", sheet)
    (asked,) = [line for line in sheet.read_text().splitlines() if line.startswith(f",{MONEY}")]
    assert PORT not in sheet.read_text()
    sheet.write_text(sheet.read_text().replace(asked, f"noise{asked}"))
    _, end, _ = timeline(folder, "--labels", sheet, "--days", "1")
    assert end[2].startswith("1 of 2 ")


def test_several_teams_are_summed(tmp_path):
    data(tmp_path / "first")
    data(tmp_path / "more" / "second")
    *_, kept, rules = timeline(tmp_path, "--days", "0")
    assert kept[0].startswith("2 of 2 ")
    assert [cell[:6] for cell in rules] == ["2 of 2", "2 of 2", "2 of 4", "2 of 4"]


def test_rules_come_from_the_history_of_a_repository(tmp_path):
    repository = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", repository], check=True)
    (repository / "CLAUDE.md").write_text("- Always write amounts as integers of cents here.\n")
    env = {**os.environ, "GIT_COMMITTER_DATE": "2026-03-04T09:00:00Z"}
    for words in (["add", "."], ["commit", "-qm", "Rules"]):
        subprocess.run(["git", *words], cwd=repository, check=True, env=env)
    *_, rules = timeline(data(tmp_path / "data"), "--repository", repository)
    assert rules[0].startswith("1 of 1 ")
