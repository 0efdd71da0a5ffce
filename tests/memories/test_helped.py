"""Did it help? Counted by session, before and since; silent where the numbers say nothing."""

import json
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calmkb.model import Entry, Evidence, Memory, Rate, SessionView
from calmkb.reflect.memories.effectiveness import helped, judge
from calmkb.reflect.memories.recurrence import troubles_met
from calmkb.reflect.statements.statements import statements_of

START = datetime(2026, 1, 1, tzinfo=UTC)
PNPM = "`npm test` hung, since the project uses pnpm and the lock file was rewritten."
OTHERS = ("The clock of the build machine ran in local time.", "A port was taken by the old job.")
RATES = st.builds(
    lambda sessions, share: Rate(round(sessions * share), sessions),
    st.integers(0, 60),
    st.floats(0, 1),
)


def session(number: int, *friction: str, project: str = "shop") -> SessionView:
    return SessionView(
        entry=Entry(
            id=f"{number:08}-0000-4000-8000-000000000001",
            created_at=START + timedelta(days=number),
            summary="Worked.",
            project_name=project,
            friction_points=friction,
        )
    )


def memory(day: float, sources: tuple[SessionView, ...] = (), **more) -> Memory:
    quotes = tuple(
        Evidence(
            quote=v.entry.friction_points[0], source=v.entry.id, date="2026-01-01", project="shop"
        )
        for v in sources
    )
    return Memory(
        id="00000000-0000-4000-8000-000000000002",
        created_at=START + timedelta(days=day),
        text=PNPM,
        category="workflow",
        scope=more.pop("scope", "shop"),
        evidence=quotes,
        **more,
    )


def verdict_on(one: Memory, sessions: list[SessionView]):
    found = troubles_met([one], statements_of(sessions))
    return helped([one], sessions, found)[one.id]


def test_a_theme_that_stopped_is_said_to_have_been_helped_with_its_numbers():
    sessions = [session(n, PNPM if n % 2 else OTHERS[0]) for n in range(20)]
    sessions += [session(n, PNPM if n == 30 else OTHERS[n % 2]) for n in range(20, 60)]
    found = verdict_on(memory(19.5, tuple(sessions[1:7:2])), sessions)
    assert (found.verdict, found.before, found.since) == ("helped", Rate(10, 20), Rate(1, 40))
    assert found.words.startswith(
        "helped: from 10 in 20 sessions to 1 in 40 sessions (rate ratio 0.05, 90 % interval 0.00"
    )
    assert found.low < 0.05 < found.high < 1


def test_only_sessions_of_its_scope_count_and_a_session_counts_once():
    sessions = [session(n, PNPM, PNPM + " Again.") for n in range(4)]
    sessions += [session(n, PNPM, project="ledger") for n in range(4, 9)]
    assert verdict_on(memory(3.5), sessions).before == Rate(4, 4)
    assert verdict_on(memory(3.5), sessions).since == Rate(0, 0)
    assert verdict_on(memory(3.5, scope="global"), sessions).since == Rate(5, 5)


def test_a_theme_that_came_back_more_often_is_said_to_have():
    sessions = [session(n, PNPM if n == 9 else OTHERS[n % 2]) for n in range(20)]
    sessions += [session(n, PNPM if n % 2 else OTHERS[0]) for n in range(20, 40)]
    found = verdict_on(memory(19.5, (sessions[9],)), sessions)
    assert (found.verdict, found.before) == ("came back more often", Rate(1, 20))


@pytest.mark.parametrize(
    ("before", "since"),
    [(Rate(0, 0), Rate(0, 0)), (Rate(3, 4), Rate(0, 90)), (Rate(9, 9), Rate(0, 4)),
     (Rate(0, 9), Rate(0, 9)), (Rate(3, 10), Rate(3, 10)), (Rate(1, 10), Rate(0, 500))],
)  # fmt: skip
def test_it_is_too_early_to_say(before, since):
    found = judge(before, since)
    assert found.verdict == "too early to say"
    assert found.words.startswith("too early to say: from ")


@given(RATES, RATES)
@example(Rate(2, 7), Rate(1, 3))  # its bound is exactly 1 one session before
def test_it_says_how_many_sessions_it_takes_and_no_fewer_would_do(before, since):
    found = judge(before, since)
    if found.needed is None:
        return
    assert f"; {found.needed:,} more session" in found.words
    after = Rate(since.occurred, since.sessions + found.needed)
    assert judge(before, after).verdict == "helped"
    sooner = Rate(since.occurred, after.sessions - 1)
    assert judge(before, sooner).verdict == "too early to say"


def test_a_verdict_needs_no_more_sessions_and_some_never_come():
    assert judge(Rate(10, 20), Rate(1, 40)).needed is None
    assert judge(Rate(1, 10), Rate(0, 50)).needed is None
    assert judge(Rate(5, 20), Rate(0, 0)).words.endswith(
        "; 20 more sessions without it would show that it helped"
    )


def test_its_own_quote_does_not_make_a_session_an_occurrence_for_the_upper_bound():
    sessions = [session(n, *((PNPM,) if n == 3 else ())) for n in range(10)]
    sessions += [session(n) for n in range(10, 400)]
    assert verdict_on(memory(9.5, (sessions[3],)), sessions).high is None


@given(RATES, RATES)
def test_the_interval_holds_the_ratio_and_the_verdict_follows_from_it(before, since):
    found = judge(before, since)
    if found.ratio is not None:
        assert found.low <= found.ratio
        assert found.high is None or found.ratio <= found.high * (1 + 1e-9)
    if found.verdict == "helped":
        assert found.high is not None and found.high < 1
    if found.verdict == "came back more often":
        assert found.low > 1
    assert judge(before, since) == found


@given(RATES, RATES)
def test_the_lower_bound_is_that_of_the_binomial_test_with_mid_p(before, since):
    from scipy.stats import binom

    low = judge(before, since).low
    if not (since.occurred and before.sessions and since.sessions):
        assert low == 0
        return
    share = low * since.sessions / (before.sessions + low * since.sessions)
    later = binom(before.occurred + since.occurred, share)
    more = later.sf(since.occurred) + later.pmf(since.occurred) / 2
    assert more == pytest.approx(0.05, rel=1e-4)


@given(st.integers(1, 30), st.integers(0, 30))
def test_fewer_occurrences_since_never_speak_against_help(before, since):
    more, fewer = (judge(Rate(before, 30), Rate(y, 30)).high for y in (since, max(0, since - 1)))
    assert more is None or (fewer is not None and fewer <= more)


def test_memories_without_effect_are_seldom_said_to_help():
    """Themes of many rates become memories because they occurred: the bias that must not show."""
    rng, said, settled = random.Random(3), Counter(), cache(judge)  # noqa: S311
    for _ in range(4_000):
        rate, before = 0.003 * 100 ** rng.random(), 0
        needed, latest = rng.choice((1, 2, 3)), rng.choice((20, 60))
        for number in range(1, latest + 1):
            before += rng.random() < rate
            if number % 5 == 0 and before >= needed:
                since = sum(rng.random() < rate for _ in range(100))
                said[settled(Rate(before, number), Rate(since, 100)).verdict] += 1
                break
    assert sum(said.values()) > 1_000
    assert said["helped"] <= 0.05 * sum(said.values())
    assert said["came back more often"] <= 0.05 * sum(said.values())


def test_what_made_a_memory_does_not_speak_for_it():
    """Of three sessions that it cites more is left out than of one: they may be a cluster."""
    for cited, verdict in ((1, "helped"), (3, "too early to say")):
        assert judge(Rate(3, 30), Rate(0, 95), cited=cited).verdict == verdict


def test_show_names_it(project, cli, add):
    cli("wrapup", "--summary", "Worked.", "--friction", PNPM)
    identity = add(PNPM)
    assert (
        "too early to say: from 1 in 1 session to 0 in 0 sessions"
        in cli("memory", "show", identity).out
    )
    found = json.loads(cli("memory", "show", identity, "--json").out)["helped"]
    assert (found["verdict"], found["before"]["occurred"]) == ("too early to say", 1)


VITEST = "Vitest blocked forever waiting on Postgres."


def story(*, since=(), count=13):
    """Return forty sessions, 14 with the trouble, and forty with `since` in `count` of them."""
    early = [session(n, *((PNPM,) if n % 3 == 0 else ())) for n in range(40)]
    late = [session(40 + n, *(since if n % 3 == 0 and n < 3 * count else ())) for n in range(40)]
    return [*early, *late]


def verdict_unless_reworded(one, sessions, *others):
    from calmkb.reflect.memories.rewording import unless_reworded
    from calmkb.reflect.similarity.methods import TFIDF

    told = statements_of(sessions)
    mentioned = troubles_met([one], told)
    found = helped([one], sessions, mentioned)
    times = {view.entry.id: view.entry.created_at for view in sessions}
    return unless_reworded(found, [one, *others], told, times, mentioned, TFIDF)[one.id]


def test_a_trouble_that_came_back_in_other_words_does_not_look_like_help():
    found = verdict_unless_reworded(memory(39.5), story(since=(VITEST,)))
    assert found.verdict == "too early to say"
    assert "from 14 in 40 sessions to 0 in 40 sessions" in found.words
    assert found.words.endswith(
        f"; “{VITEST}” is new since, in 13 sessions, and may be the same trouble reworded"
    )


def test_help_is_still_told_where_no_new_trouble_is_as_frequent():
    for more in ({}, {"since": (VITEST,), "count": 1}):
        assert verdict_unless_reworded(memory(39.5), story(**more)).verdict == "helped"


def test_a_new_trouble_that_another_memory_answers_is_another_trouble():
    other = replace(memory(39.5), id="00000000-0000-4000-8000-000000000009", text=VITEST)
    assert verdict_unless_reworded(memory(39.5), story(since=(VITEST,)), other).verdict == "helped"


def test_trouble_that_one_session_alone_met_is_no_rewording():
    """Nearly every session meets something new."""
    found = verdict_unless_reworded(memory(39.5), story(since=(VITEST,), count=1))
    assert "new since" not in found.words


def test_a_trouble_that_was_there_before_is_no_rewording():
    sessions = story(since=(OTHERS[0],))
    sessions[1] = session(1, OTHERS[0])
    assert verdict_unless_reworded(memory(39.5), sessions).verdict == "helped"


@given(RATES, RATES, st.integers(0, 60))
def test_what_is_unknown_never_turns_a_verdict_into_help(before, since, unknown):
    found = judge(before, since)
    wider = judge(before, Rate(min(since.sessions, since.occurred + unknown), since.sessions))
    assert found.verdict == "helped" or wider.verdict != "helped"


def test_a_learning_that_the_memory_taught_is_no_trouble_met_since():
    sessions = [session(n, PNPM if n % 2 else OTHERS[0]) for n in range(20)]
    later = [session(n, OTHERS[n % 2]) for n in range(20, 60)]
    taught = [replace(v, entry=replace(v.entry, learnings=(PNPM,))) for v in later]
    assert verdict_on(memory(19.5), sessions + taught).since == Rate(0, 40)


def test_what_may_be_the_same_trouble_keeps_it_from_being_said_to_help():
    sessions = [session(n, PNPM if n % 2 else OTHERS[0]) for n in range(20)]
    close = "`npm test` hung in the shop again, for another reason: the port was taken."
    sessions += [session(n, close if n % 2 else OTHERS[0]) for n in range(20, 60)]
    found = verdict_on(memory(19.5), sessions)
    assert (found.verdict, found.since) == ("too early to say", Rate(0, 40))
    assert "20 more may have met the same trouble in other words" in found.words
