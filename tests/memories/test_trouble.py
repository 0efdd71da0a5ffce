"""Did the trouble come back? The verdict, its counts, and the chance of so few."""

import json
import random
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.documents import record_path, render
from calmkb.model import Entry
from calmkb.model.memories.backtest import Backtest, Cost, Occurrence, chance_of_fewer
from tests.conftest import git

START = datetime(2026, 1, 1, tzinfo=UTC)
PNPM = "`npm test` hung, since the project uses pnpm and the lock file was rewritten."


def met(*turns: int | None) -> tuple[Occurrence, ...]:
    return tuple(
        Occurrence(
            session=str(number), session_id=str(number), date="2026-01-01", quote="It hung.",
            chance=1.0, cost=None if lost is None else Cost(turns=lost),
        )
        for number, lost in enumerate(turns)
    )  # fmt: skip


def counts(before=0, of=0, since=0, of_since=0, *, cited=0, maybe=0) -> Backtest:
    return Backtest(
        id="m", text=PNPM, approved_at=START, since=START, sessions=of + of_since,
        sessions_since=of_since, met=met(*[None] * before), met_since=met(*[None] * since),
        possible_since=met(*[None] * maybe), cited=cited,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (counts(of_since=0), "too early to say: no session since its approval"),
        (counts(3, 15), "too early to say: no session since its approval; "
                        "before it, 3 of 15 hit the problem"),
        (counts(0, 15, 0, 2), "too early to say: 0 of 2 sessions since its approval hit the "
                              "problem; before it, 0 of 15 did"),
        (counts(1, 3, 0, 4), "too early to say: 0 of 4 sessions since its approval hit the "
                             "problem; before it, 1 of 3 did; chance of so few: 0.43"),
        (counts(of_since=5), "not hit since: 0 of 5 sessions since its approval hit the problem"),
        (counts(1, 3, 1, 2), "hit again: 1 of 2 sessions since its approval hit the problem; "
                             "before it, 1 of 3 did; chance of so few: 0.9"),
        (counts(9, 20, 0, 40), "not hit since: 0 of 40 sessions since its approval hit the "
                               "problem; before it, 9 of 20 did; chance of so few: 1.1e-05"),
        (counts(0, 4, 0, 9, maybe=2), "not hit since: 0 to 2 of 9 sessions since its approval "
                                      "hit the problem; before it, 0 of 4 did"),
    ],
)  # fmt: skip
def test_the_verdict_and_its_counts_are_one_plain_sentence(found, words):
    assert found.words == words
    assert words.startswith(found.verdict)


def test_what_made_a_memory_does_not_speak_for_it():
    """Of the sessions before that met it again, those that it cites are left out."""
    assert counts(2, 20, 0, 40, cited=2).chance is None
    assert counts(3, 20, 0, 40, cited=2).chance == counts(1, 20, 0, 40).chance


def test_what_may_be_the_same_trouble_counts_as_if_it_were():
    assert counts(9, 20, 0, 40, maybe=3).chance == counts(9, 20, 3, 40).chance


def test_the_chance_is_the_share_of_all_ways_to_spread_the_hits():
    for before, of, since, of_since in ((2, 4, 1, 3), (3, 3, 0, 5), (1, 6, 2, 2)):
        ways = [sum(place >= of for place in drawn)
                for drawn in combinations(range(of + of_since), before + since)]  # fmt: skip
        share = sum(later <= since for later in ways) / len(ways)
        assert chance_of_fewer(before, of, since, of_since) == pytest.approx(share)


SIDE = st.integers(0, 60).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


@given(SIDE, SIDE)
def test_fewer_hits_since_are_never_likelier(before, since):
    chances = [chance_of_fewer(*before, hits, since[1]) for hits in range(since[0] + 1)]
    assert chances == sorted(chances)
    assert all(0 < chance <= 1 for chance in chances)


def test_memories_without_effect_seldom_look_as_if_they_had_one():
    """Troubles of many rates become memories because they occurred: the bias must not show."""
    rng, told = random.Random(3), []  # noqa: S311
    chance_of = cache(lambda *told: counts(*told[:4], cited=told[4]).chance)
    for _ in range(4_000):
        rate, hits = 0.003 * 100 ** rng.random(), []
        needed, latest = rng.choice((1, 2, 3)), rng.choice((20, 60))
        for number in range(1, latest + 1):
            hits += [number] if rng.random() < rate else []
            if number % 5 == 0 and len(hits) >= needed:
                since = sum(rng.random() < rate for _ in range(100))
                again = len(hits) - 1
                told.append(chance_of(again, number - hits[0], since, 100, needed - 1))
                break
    assert len(told) > 1_000
    assert sum(one is not None and one < 0.05 for one in told) <= 0.05 * len(told)


def test_turns_are_told_of_the_sessions_whose_cost_is_known():
    found = Backtest(
        id="m", text=PNPM, approved_at=START, since=START, sessions=9,
        met=met(12, None, 15), met_since=met(3, 2, 4),
    )  # fmt: skip
    assert found.turns == "13.5 a session before (known of 2), 3 a session since (known of 3)"
    assert counts(3, 9).turns == ""


@pytest.fixture
def history(project, add):
    """Return a memory whose trouble the last of the three sessions since met."""
    identity = add(PNPM)
    for number, friction in enumerate(("The clock ran in local time.", "A port was taken.", PNPM)):
        entry = Entry(
            id=f"{number:08}-0000-4000-8000-000000000001",
            created_at=datetime.now(UTC) + timedelta(days=number + 1),
            summary="Worked.", project_name="shop", friction_points=(friction,),
        )  # fmt: skip
        path = project / "journal" / record_path(entry)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(entry))
    git(project, "add", "journal")
    git(project, "commit", "-qm", "Three sessions")
    return identity


def test_show_stats_and_report_ask_one_function(project, cli, history):
    words = "hit again: 1 of 3 sessions since its approval hit the problem"
    assert f"trouble:       {words}" in cli("memory", "show", history).out
    assert f"  {words}\n" in cli("memory", "report").out
    assert "since approval:   1 hit again" in cli("stats").out
    assert json.loads(cli("stats", "--json").out)["helped"] == {"hit again": 1}
    shown = json.loads(cli("memory", "show", history, "--json").out)["backtest"]
    (row,) = json.loads(cli("memory", "report", "--json").out)["memories"]
    (tested,) = [
        one for one in json.loads(cli("backtest", "--json").out)["backtests"]
        if one["id"] == history
    ]  # fmt: skip
    assert shown == row["backtest"] == tested
    assert (shown["verdict"], shown["sessions_since"]) == ("hit again", 3)


def test_a_report_tells_of_confidence_feedback_and_what_is_stale(project, cli, history, add):
    other = add("Prices are in cents.", category="fact")
    cli("memory", "feedback", other, "harmful")
    said = cli("memory", "report").out
    assert said.startswith("2 memories. Troubles: 1 hit again, 1 too early. Confidence: 2 low.")
    assert said.index(history[:8]) < said.index(other[:8])
    stale = cli("memory", "report", "--stale").out
    assert history[:8] not in stale
    assert "  fact, shop, confidence 0.25 (low), 0 helpful, 1 harmful\n" in stale
    assert "  look again: verdicts on it: 1 harmful, 0 helpful\n" in stale


def test_nothing_to_report_is_said(project, cli, add):
    assert cli("memory", "report").out == "No memories.\n"
    add("Prices are in cents.")
    assert cli("memory", "report", "--stale").out == "No stale memories.\n"
