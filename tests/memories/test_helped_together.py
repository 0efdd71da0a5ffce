"""Did several memories help together? A small effect on each is seen in all of them."""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from calmkb.documents import record_path, render
from calmkb.model import Entry, Evidence, Memory, Rate, SessionView
from calmkb.reflect.memories.effectiveness import helped
from calmkb.reflect.memories.pooled import counted, together
from calmkb.reflect.memories.rates import Compared, pooled_bounds, pooled_chance
from calmkb.reflect.memories.recurrence import troubles_met
from calmkb.reflect.memories.rewording import reworded_at_most
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.statements.statements import statements_of
from tests.conftest import git

START = datetime(2026, 1, 1, tzinfo=UTC)
TROUBLES = (
    "`npm test` hung, since the project uses pnpm and the lock file was rewritten.",
    "Postgres refused connections until `docker compose up` had started it.",
    "The linter rejected an unused import in the generated client.",
    "Screenshots differ on the build machine because of its fonts.",
    "The release script tagged a commit that was never pushed.",
)
REWORDED = "Vitest blocked forever waiting on a cache."


def session(number: int, *friction: str) -> SessionView:
    entry = Entry(
        id=f"{number:08}-0000-4000-8000-000000000001",
        created_at=START + timedelta(days=number),
        summary="Worked.",
        project_name="shop",
        friction_points=friction,
    )
    return SessionView(entry=entry)


def memories(*sources: SessionView) -> list[Memory]:
    quoted = [(view, text) for view in sources for text in view.entry.friction_points]
    return [
        Memory(
            id=f"{number:08}-0000-4000-8000-000000000002",
            created_at=START + timedelta(days=29.5),
            text=text,
            category="workflow",
            scope="shop",
            evidence=(
                Evidence(quote=text, source=view.entry.id, date="2026-01-01", project="shop"),
            ),
        )
        for number, (view, text) in enumerate(quoted)
    ]


def history(*, since: int, more: str = "", times: int = 0) -> list[SessionView]:
    """Return thirty sessions, each trouble in three, and thirty with `since` of them in all."""
    early = [session(n, TROUBLES[n % 5]) if n < 15 else session(n) for n in range(30)]
    late = [session(30 + n, TROUBLES[n % 5]) if n < since else session(30 + n) for n in range(30)]
    for n in range(times):
        late[-1 - n] = session(59 - n, more)
    return early + late


def verdict_on(sessions: list[SessionView], known: list[Memory]):
    told = statements_of(sessions)
    met = troubles_met(known, told)
    times = {view.entry.id: view.entry.created_at for view in sessions}
    whole = together(
        counted(known, sessions, met), lambda: reworded_at_most(known, told, times, met, TFIDF)
    )
    return whole, helped(known, sessions, met)


def test_what_no_memory_shows_by_itself_all_of_them_show_together():
    sessions = history(since=1)
    whole, each = verdict_on(sessions, memories(*sessions[:5]))
    assert {one.verdict for one in each.values()} == {"too early to say"}
    assert whole.verdict == "helped"
    assert whole.words.startswith(
        "helped: 5 memories met their troubles 10 times before, beyond those that made them, "
        "and 1 since (rate ratio 0.1, "
    )
    assert whole.high < 1


def test_as_many_since_are_no_help():
    sessions = history(since=15)
    whole, _ = verdict_on(sessions, memories(*sessions[:5]))
    assert whole.verdict == "too early to say"
    assert whole.low < 1 < whole.high


def test_troubles_in_other_words_do_not_look_like_help_together():
    sessions = history(since=1, more=REWORDED, times=12)
    whole, _ = verdict_on(sessions, memories(*sessions[:5]))
    assert whole.verdict == "too early to say"
    assert whole.words.endswith("; 12 more may be the same troubles in other words")


def test_a_new_trouble_may_be_that_of_one_memory_only():
    sessions = history(since=0, more=REWORDED, times=4)
    known, told = memories(*sessions[:5]), statements_of(sessions)
    times = {view.entry.id: view.entry.created_at for view in sessions}
    found = reworded_at_most(known, told, times, troubles_met(known, told), TFIDF)
    assert sorted(found.values()) == [0, 0, 0, 0, 4]


def test_two_memories_of_one_trouble_count_it_once():
    sessions = history(since=1)
    known = memories(*sessions[:5])
    twice = [*known, *(replace(one, id="9" + one.id[1:]) for one in known)]
    told = statements_of(sessions)
    each = counted(twice, sessions, troubles_met(twice, told))
    assert sum(one.compared.since.occurred for one in each) == 1


def test_one_memory_is_no_group():
    sessions = history(since=1)
    assert verdict_on(sessions, memories(sessions[0]))[0] is None


RATES = st.builds(Rate, st.integers(0, 20), st.integers(20, 60))


@given(st.lists(st.tuples(RATES, RATES, st.integers(1, 4)), min_size=2, max_size=6))
def test_more_occurrences_since_never_speak_for_help(rows):
    several = [Compared(b, s, b.occurred, cited) for b, s, cited in rows]
    first = several[0]
    more = Rate(min(first.since.occurred + 1, first.since.sessions), first.since.sessions)
    worse = [replace(first, since=more), *several[1:]]
    high, higher = (pooled_bounds(group)[1] for group in (several, worse))
    assert higher is None or (high is not None and high <= higher * (1 + 1e-9))


def test_the_chance_of_a_sum_is_that_of_drawing_it():
    """Against two hundred thousand draws of the rates and of the counts that they give."""
    import numpy

    several = [Compared(Rate(4, 30), Rate(2, 50), 4), Compared(Rate(3, 20), Rate(1, 80), 3)]
    drawn = numpy.random.default_rng(random.Random(5).randrange(99))  # noqa: S311
    total = sum(
        drawn.poisson(drawn.gamma(c.spare, 1 / c.before.sessions, 200_000) * c.since.sessions)
        for c in several
    )
    expected = (total < 3).mean() + (total == 3).mean() / 2
    assert abs(pooled_chance(several) - expected) < 0.01


def test_stats_tell_it(project, cli):
    sessions = history(since=1)
    for record in (*(view.entry for view in sessions), *memories(*sessions[:5])):
        path = project / "journal" / record_path(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(record))
    git(project, "add", "journal")
    git(project, "commit", "-q", "-m", "A history")
    said = cli("stats").out
    assert "all:            helped: 5 memories met their troubles 10 times before, " in said
    found = json.loads(cli("stats", "--json").out)["together"]
    assert sorted(found) == ["all", "workflow"]
    assert found["all"]["verdict"] == "helped"
