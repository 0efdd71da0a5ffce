"""No method sees what came later, and each baseline lists what it says; on invented sessions."""

import pytest

from timeline.folder import read_folder
from timeline.invented import (
    MONEY,
    MONEY_AGAIN,
    PORT,
    agent,
    person,
    ran,
    rows,
    session,
    wrap_up,
)
from timeline.sources import END, mined, written
from timeline.team import Team

LINT = "ruff check shop"
STOP = "No, use the cents helper instead."


def team(folder, last=9):
    """Return a team whose sessions up to a day of March are in the folder."""
    days = {
        2: (wrap_up("day2.jsonl", MONEY), person("Please write the export."), agent("Done.")),
        4: (wrap_up("day4.jsonl", PORT, friction=["The tests hung without a database."]),
            person("Please add refunds. Tell me when it is done."), *ran(LINT, 1, "E501 too long"),
            *ran(LINT, 2), *ran("pytest shop", 3, "1 failed"), agent("Done.")),
        6: (wrap_up("day6.jsonl", MONEY_AGAIN), person("Please write the invoice."), agent("Ok."),
            person(STOP), agent("Done.")),
        9: (wrap_up("day9.jsonl", "Never trust the clock of a till."), person("Never do that."),
            *ran(LINT, 1, "F401 unused"), *ran(LINT, 2), agent("Done.")),
    }  # fmt: skip
    chosen = {day: parts for day, parts in days.items() if day <= last}
    for day, (_, *turns) in chosen.items():
        session(folder / "data" / "sessions", f"day{day}", day, *turns)
    rows(folder / "data" / "wrapups.jsonl", *(parts[0] for parts in chosen.values()))
    read = read_folder(folder / "data", folder)
    return Team("shop", read, [written(read, folder / "a"), mined(read, folder / "b")])


def texts(team, day=END):
    """Return what each method lists, by source and method."""
    return {(source.name, method): [one.text for one in listed]
            for source in team.sources
            for method, listed in team.lists(source, day).items()}  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A team with all of its sessions."""
    return team(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize(("day", "last"), [("2026-03-05", 4), ("2026-03-07", 6)])
def test_a_day_is_the_same_whether_or_not_later_sessions_exist(whole, tmp_path, day, last):
    seen = texts(whole, day)
    assert seen == texts(team(tmp_path, last))
    assert seen != texts(whole)
    assert all(item.date < day for source in whole.sources
               for listed in whole.lists(source, day).values()
               for one in listed for item in one.evidence)  # fmt: skip


def test_a_session_counts_only_on_the_day_after_it_ended(whole):
    assert PORT not in texts(whole, "2026-03-04")["wrap-ups", "newest"]
    assert PORT in texts(whole, "2026-03-05")["wrap-ups", "newest"]


def test_chance_has_a_seed_and_newest_an_order(whole, tmp_path):
    listed = texts(whole)
    newest = listed["wrap-ups", "newest"]
    assert newest[0] == "Never trust the clock of a till." and newest[-1] == MONEY
    assert sorted(listed["wrap-ups", "chance"]) == sorted(newest)
    assert listed["wrap-ups", "chance"] == texts(team(tmp_path))["wrap-ups", "chance"] != newest
    assert "The tests hung without a database." not in listed["wrap-ups", "newest learnings"]


def test_a_cluster_of_two_sessions_comes_first(whole):
    first, *others = whole.lists(whole.sources[0])["TF-IDF clusters"]
    assert {item.quote for item in first.evidence} == {MONEY, MONEY_AGAIN}
    assert all(len({item.source for item in one.evidence}) == 1 for one in others)


def test_words_of_correction_are_looked_for_in_what_people_typed(whole):
    assert texts(whole)["transcripts", "correction words"] == ["Never do that.", STOP]


def test_a_command_counts_where_it_failed_and_passed_in_one_session(whole):
    (one,) = whole.lists(whole.sources[1])["fail then pass"]
    assert one.text == f"`{LINT}` failed, then passed: F401 unused"
    assert [item.date for item in one.evidence] == ["2026-03-09", "2026-03-04"]
