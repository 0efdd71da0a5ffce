"""A session that was kept more than once is one session, with its newest words, for each reader."""

import json
from pathlib import Path

import pytest

from calmkb.wings.site.verbs.pages import load_library
from tests.conftest import git

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")

SESSION = "5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11"
SAMPLE = next((Path(__file__).parents[2] / "data" / "transcripts").glob("2026-10-05*"))


def wrap(cli, summary, *more, session=SESSION):
    said = cli("wrapup", "--summary", summary, "--agent", "claude-code", "--session-id", session,
               "--json", *more)  # fmt: skip
    assert said.code == 0, said.err
    return json.loads(said.out)["id"]


def listed(cli, *more):
    return json.loads(cli("session", "list", "--json", *more).out)["entries"]


@pytest.fixture
def twice(project, cli):
    """Return the ids of two wrap-ups of one session, within one second."""
    friction = ("--friction", "npm rewrote the lock file and the tests hung")
    first = wrap(cli, "The parcel counter is half done.", *friction, "--next", "Count pears.")
    return first, wrap(cli, "The parcel counter is finished.", *friction)


def test_a_list_has_the_newest_words_alone(twice, cli):
    assert [row["id"] for row in listed(cli)] == [twice[1]]
    assert [row["id"] for row in listed(cli, "--unreflected")] == [twice[1]]


def test_both_records_stay_and_the_older_one_says_which_replaced_it(twice, project, cli):
    assert git(project, "ls-files", "journal/sessions").count("\n") == 2
    first, second = twice
    assert f"Replaced by:       {second}" in cli("session", "show", first).out
    assert json.loads(cli("session", "show", first, "--json").out)["replaced_by"] == second
    assert "Replaced by" not in cli("session", "show", second).out
    assert cli("check").code == 0


def test_search_finds_it_once(twice, cli):
    found = json.loads(cli("search", "parcel counter", "--json").out)
    assert [hit["id"] for hit in found["hits"]] == [twice[1]]
    assert json.loads(cli("search", "half done pears", "--json").out)["hits"] == []


def test_it_counts_as_one_session(twice, cli):
    assert json.loads(cli("stats", "--json").out)["entries"] == 1


def test_its_friction_is_no_recurrence(twice, cli):
    rows = json.loads(cli("reflect", "--json", "--dry-run").out)["proposals"]
    assert rows
    assert twice[0] not in json.dumps(rows)


def test_what_is_finished_by_now_no_longer_waits(project, cli):
    wrap(cli, "Half done.", "--next", "Round pennies.", "--json", session=SESSION)
    said = cli("wrapup", "continue", "--summary", "Half.", "--next", "Round.", "--agent",
               "claude-code", "--session-id", SESSION)  # fmt: skip
    assert said.code == 0, said.err
    assert "Round." in cli("session", "pending").out
    wrap(cli, "Done.")
    assert "Round." not in cli("session", "pending").out


def test_the_site_shows_the_newest_words_alone(twice, project, tmp_path):
    shown = load_library(project)
    assert [view.entry.id for view in shown.sessions] == [twice[1]]
    assert all(theme.sessions == 1 for theme in shown.themes)


def test_an_import_does_not_replace_what_was_written_even_if_it_comes_later(project, cli):
    """As on two machines: one wraps up, the other imports, and git brings both together."""
    cli("import", "claude", str(SAMPLE))
    (mined,) = listed(cli)
    shown = json.loads(cli("session", "show", mined["id"], "--json").out)
    path = git(project, "ls-files", "journal/sessions").strip()
    draft = (project / path).read_text()
    git(project, "rm", "-q", path)
    git(project, "commit", "-qm", "as if it had not come yet")
    written = wrap(cli, "Moved the coupon field.", session=shown["session_id"])
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text(draft.replace("2026-10-05T", "2027-10-05T"))
    git(project, "add", "journal")
    git(project, "commit", "-qm", "now it came")
    assert [row["id"] for row in listed(cli)] == [written]
    assert cli("import", "claude", str(SAMPLE)).out.startswith("0 added, 1 known before")


def test_the_same_id_under_two_agents_is_two_sessions(project, cli):
    wrap(cli, "One.")
    cli("wrapup", "--summary", "Two.", "--agent", "codex", "--session-id", SESSION)
    assert len(listed(cli)) == 2


def test_a_record_that_goes_gives_the_place_back_to_the_one_before(twice, project, cli):
    newest = git(project, "log", "-1", "--format=", "--name-only").strip()
    git(project, "rm", "-q", newest)
    git(project, "commit", "-qm", "taken back")
    assert [row["id"] for row in listed(cli)] == [twice[0]]


def test_its_log_goes_with_the_newest_words_and_with_the_reflection(project, cli, tmp_path):
    (tmp_path / "log.jsonl").write_text('{"role": "user", "content": "pears"}\n')
    first = wrap(cli, "Half done.", "--log", str(tmp_path / "log.jsonl"))
    second = wrap(cli, "Done.")
    assert "pears" in cli("session", "show", second, "--log").out
    assert "no raw log" in cli("session", "show", first, "--log").err
    (tmp_path / "log.jsonl").write_text('{"role": "user", "content": "apples"}\n')
    third = wrap(cli, "Done again.", "--log", str(tmp_path / "log.jsonl"))
    assert "apples" in cli("session", "show", third, "--log").out
    kept = list((Path.home() / ".calm/sessions").glob("*.jsonl"))
    assert [third in path.name for path in kept] == [True]


@pytest.fixture
def reflected(project, cli, tmp_path):
    """Return the ids of the entry of a session and of the memory that a review made of it."""
    first = wrap(cli, "Counted parcels.", "--friction", "npm rewrote the lock file; use pnpm")
    found = json.loads(cli("reflect", "--json").out)
    for one in found["proposals"]:
        one["decision"] = "accept"
    (tmp_path / "decided.json").write_text(json.dumps(found))
    said = cli("reflect", "--apply", str(tmp_path / "decided.json"), "--json")
    assert said.code == 0, said.err
    (memory,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    return first, memory["id"]


def test_newer_words_that_add_nothing_to_decide_on_are_reflected(reflected, cli):
    wrap(cli, "Counted every parcel.", "--friction", "npm rewrote the lock file; use pnpm")
    assert listed(cli, "--unreflected") == []
    assert json.loads(cli("stats", "--json").out)["unreflected"] == 0
    assert json.loads(cli("reflect", "--json", "--dry-run").out)["proposals"] == []


def test_newer_words_with_a_new_learning_are_not(reflected, cli):
    again = wrap(cli, "Counted parcels.", "--learning", "Round pennies to even.")
    assert [row["id"] for row in listed(cli, "--unreflected")] == [again]
    assert json.loads(cli("stats", "--json").out)["unreflected"] == 1


def test_a_reflection_that_goes_leaves_newer_words_unreflected_again(reflected, project, cli):
    again = wrap(cli, "Counted every parcel.")
    assert listed(cli, "--unreflected") == []
    git(project, "rm", "-rq", "journal/reflections")
    git(project, "commit", "-qm", "taken back")
    assert [row["id"] for row in listed(cli, "--unreflected")] == [again]


def test_a_memory_and_its_reflection_cite_the_newest_words(reflected, project, cli):
    first, memory = reflected
    again = wrap(cli, "Counted every parcel.", "--friction", "npm rewrote the lock file; use pnpm")
    shown = load_library(project)
    assert [one.source for one in shown.memories[0].evidence] == [again]
    assert shown.reflections[0].entries == (again,)
    told = json.loads(cli("memory", "show", memory, "--json").out)
    assert [one["source"] for one in told["evidence"]] == [again]
    assert git(project, "grep", "-l", first, "--", "journal/memories").count("\n") == 1


SAID = ("wrapup", "--agent", "codex", "--session-id", "s-9", "--json")


def said(cli, *words: str) -> str:
    return json.loads(cli(*SAID, "--summary", *words).out)["id"]


def test_the_same_words_on_a_session_are_the_entry_that_is_there(project, cli):
    first = said(cli, "All done.", "--next", "Ship it.")
    head = git(project, "rev-parse", "HEAD")
    assert said(cli, "All done.", "--next", "Ship it.") == first
    assert git(project, "rev-parse", "HEAD") == head


def test_other_words_and_a_return_to_earlier_ones_are_entries_of_their_own(project, cli):
    first = said(cli, "All done.")
    second = said(cli, "Not quite done.")
    third = said(cli, "All done.")
    assert len({first, second, third}) == 3
    assert [row["id"] for row in listed(cli)] == [third]


def test_the_same_words_are_written_again_after_the_entry_was_deleted(project, cli):
    first = said(cli, "All done.")
    git(project, "rm", "-qr", "journal/sessions")
    git(project, "commit", "-qm", "forget it")
    assert said(cli, "All done.") != first
    assert len(listed(cli)) == 1
