"""From sessions to proposals and back to memories."""

from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.errors import CalmError
from calmkb.model import Decision, Entry, Evidence, Memory, Proposal, SessionView
from calmkb.reflect.proposals.decisions import decide
from calmkb.reflect.proposals.merging import by_importance
from calmkb.reflect.proposals.order import differing, one_a_subject
from calmkb.reflect.proposals.propose import propose
from calmkb.reflect.proposals.scopes import Sources
from calmkb.reflect.similarity.clusters import cluster
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.similarity.vectors import vectorise
from calmkb.reflect.statements.statements import statements_of
from calmkb.reflect.themes.themes import themes

START = datetime(2026, 10, 1, 9, tzinfo=UTC)
LEVELS = {"duplicate": 0.55}


def session(number, *friction, project="shop", steps=(), reflected=False):
    entry = Entry(
        id=str(UUID(int=number, version=4)), created_at=START + timedelta(days=number),
        summary="Work.", project_name=project, friction_points=friction, next_steps=steps,
        agent="claude-code",
    )  # fmt: skip
    return SessionView(entry=entry, reflected_at=START if reflected else None)


def run(*views, memories=(), reflections=()):
    return propose(statements_of(views), memories, reflections, **LEVELS)


PNPM = (
    "`npm test` hung: the project uses pnpm, and the lock file was rewritten.",
    "npm install rewrote the lock file; the project uses pnpm.",
    "Used npm again although the project uses pnpm: the lock file changed.",
)
DOCKER = "The end-to-end job needs the database container; nothing said so."


def decide_all(views, action, proposals, **more):
    entries = [view.entry.id for view in views if view.reflected_at is None]
    ids = count(900)
    return decide(
        proposals,
        [Decision(proposal_id=p.id, action=action, **more) for p in proposals.open],
        statements_of(views),
        entries=entries, now=START + timedelta(days=30), reviewer="ada@example.org",
        new_id=lambda: str(UUID(int=next(ids), version=4)),
    )  # fmt: skip


def test_what_three_sessions_met_becomes_one_sure_proposal_with_all_its_evidence():
    views = [session(n, text) for n, text in enumerate(PNPM, 1)] + [session(4, DOCKER)]
    first, second = run(*views).open
    assert "pnpm" in first.text
    assert (first.confidence, first.scope, first.origin) == ("high", "shop", "agent")
    assert [item.date for item in first.evidence] == ["2026-10-02", "2026-10-03", "2026-10-04"]
    assert second.text == DOCKER
    assert (second.confidence, first.importance > second.importance) == ("low", True)


def test_the_same_input_gives_the_same_proposals_in_whatever_order_it_comes():
    views = [session(n, text, DOCKER) for n, text in enumerate(PNPM, 1)]
    assert run(*views) == run(*reversed(views))


def test_a_theme_of_two_projects_is_global():
    views = [session(1, PNPM[0]), session(2, PNPM[0], project="bank")]
    assert run(*views).open[0].scope == "global"


def test_a_next_step_counts_only_when_it_comes_again():
    step = "Delete the old checkout fixture."
    assert run(session(1, steps=(step,))).open == ()
    assert [p.text for p in run(session(1, steps=(step,)), session(2, steps=(step,))).open] == [
        step
    ]


def test_accepting_leaves_memories_and_nothing_to_propose():
    views = [session(n, text) for n, text in enumerate(PNPM, 1)]
    outcome = decide_all(views, "accept", run(*views))
    memory = outcome.memories[0]
    assert memory.approved_by == "ada@example.org"
    assert memory.sources == tuple(view.entry.id for view in views)
    assert outcome.reflection.entries == memory.sources
    assert outcome.reflection.memories == (memory.id,)
    again = run(*views, memories=outcome.memories, reflections=[outcome.reflection])
    assert (again.open, len(again.known)) == ((), 1)


def test_a_rejection_stays_away_until_there_is_new_evidence():
    views = [session(1, DOCKER)]
    outcome = decide_all(views, "reject", run(*views), reason="Known to all.")
    reflections = [outcome.reflection]
    assert run(*views, reflections=reflections).open == ()
    done = session(1, DOCKER, reflected=True)
    assert run(done, reflections=reflections).open == ()
    back = run(done, session(2, DOCKER), reflections=reflections).open[0]
    assert back.rejected == "2026-10-31: Known to all."
    assert (back.confidence, len(back.evidence)) == ("medium", 2)


def test_a_skipped_proposal_keeps_its_sessions_open():
    views = [session(1, DOCKER), session(2, "Sass deprecation warnings drown the build output.")]
    proposals = run(*views)
    skipped = next(p for p in proposals.open if p.text == DOCKER)
    outcome = decide_all(views, "accept", type(proposals)(tuple(
        p for p in proposals.open if p is not skipped)))  # fmt: skip
    assert len(outcome.memories) == 1
    outcome = decide(
        proposals, [], statements_of(views), entries=[v.entry.id for v in views], now=START,
        reviewer="", new_id=lambda: str(UUID(int=7, version=4)),
    )  # fmt: skip
    assert outcome.reflection.entries == ()


def test_what_contradicts_a_memory_is_a_conflict_not_a_duplicate():
    memory = Memory(
        id=str(UUID(int=50, version=4)), created_at=START, category="workflow",
        text="Use npm, not pnpm, for every script.",
    )  # fmt: skip
    proposal = run(session(1, "Use pnpm, not npm, for every script."), memories=[memory]).open[0]
    assert (proposal.verdict.kind, proposal.verdict.other) == ("conflict", memory.id)


def test_who_denies_a_value_contradicts_the_memory_that_sets_it_in_other_words():
    memory = Memory(
        id=str(UUID(int=50, version=4)), created_at=START, category="workflow",
        text="Set `ASK_FOR_PASSWORD=0` for test tasks.",
    )  # fmt: skip
    denied = "Honour what people chose for `ASK_FOR_PASSWORD` and never force it to 0."
    (proposal,) = run(session(1, denied), memories=[memory]).open
    assert (proposal.verdict.kind, proposal.verdict.other) == ("conflict", memory.id)


def test_opposites_are_not_put_under_one_proposal():
    views = [session(1, "Use pnpm, not npm, here."), session(2, "Use npm, not pnpm, here.")]
    assert len(run(*views).open) == 2


def test_a_decision_on_something_else_is_refused():
    views = [session(1, DOCKER)]
    with pytest.raises(CalmError, match="'P-000' is not open"):
        decide(
            run(*views), [Decision(proposal_id="P-000", action="accept")], statements_of(views),
            entries=[], now=START, reviewer="", new_id=str,
        )  # fmt: skip


def test_an_edited_text_is_a_persons_own():
    views = [session(1, DOCKER)]
    outcome = decide_all(views, "accept", run(*views), text="Start the database first.")
    assert (outcome.memories[0].text, outcome.memories[0].origin) == (
        "Start the database first.",
        "person",
    )


def test_themes_name_the_memory_that_answers_them():
    views = [session(n, text) for n, text in enumerate(PNPM, 1)] + [session(4, DOCKER)]
    outcome = decide_all(views[:3], "accept", run(*views[:3]))
    first, second = themes(statements_of(views), outcome.memories)
    assert (first.sessions, first.memory_id) == (3, outcome.memories[0].id)
    assert (second.sessions, second.memory_id) == (1, "")


WORDS = st.sampled_from("pnpm npm lock file hung test database container slow build ci".split())
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=25)


@given(TEXTS, st.floats(0.05, 1))
def test_clusters_part_the_rows_and_hold_together_on_average(texts, threshold):
    vectors = vectorise(texts)
    groups = cluster(vectors, threshold)
    assert sorted(row for group in groups for row in group) == list(range(len(texts)))
    for group in groups:
        if len(group) == 2:
            one, other = group
            assert (vectors[[one]] @ vectors[[other]].T).sum() >= threshold - 1e-6


def proposal(name, *said, turns=0):
    evidence = tuple(Evidence(quote=name, source=at, date=day) for at, day in said)
    return Proposal(
        id=name, text=name, category="fact", importance=0.6, confidence="low", scope="shop",
        origin="agent", evidence=evidence, evidence_hash="", turns=turns,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("helps", "less"),
    [
        ((("by-ada", "2026-10-01"), ("by-bob", "2026-10-01")),
         (("by-ada", "2026-10-02"), ("also-by-ada", "2026-10-02"))),
        ((("one", "2026-10-01"), ("two", "2026-10-01")), (("three", "2026-10-02"),)),
        ((("one", "2026-10-02"),), (("two", "2026-10-01"),)),
    ],
)  # fmt: skip
def test_equals_are_ordered_by_people_then_sessions_then_the_newest(helps, less):
    people = {"by-ada": "ada", "also-by-ada": "ada", "by-bob": "bob"}
    both = [proposal("a", *less), proposal("b", *helps)]
    assert [one.id for one in by_importance(both, Sources(lambda: people))] == ["b", "a"]


def test_of_equals_what_cost_more_turns_comes_first_and_the_alphabet_says_nothing():
    day = ("one", "2026-10-01")
    dear = [proposal("a", ("two", "2026-10-02")), proposal("b", day, turns=3)]
    assert [one.id for one in by_importance(dear, Sources())] == ["b", "a"]
    equal = [proposal("b", day), proposal("a", day)]
    assert [one.id for one in by_importance(equal, Sources())] == ["b", "a"]


def test_of_one_subject_only_the_best_proposal_is_among_the_first_ten():
    subjects = (
        "The exporter rounds cents down.", "Redis keeps the basket for a day.",
        "Screenshots differ on macOS.", "The mailer retries forever.",
        "Coupons are case sensitive.", "Tax tables load at import.",
        "Postcodes hold spaces.", "The cache key lacks the locale.",
        "Webhooks arrive twice.",
    )  # fmt: skip
    lint = ("Run `make lint all` before each push.", "A stale cache: `make lint all` passed at CI.")
    more = "The nightly job times out on Sundays."
    views = [session(n, lint[n % 2]) for n in range(1, 5)]
    views += [session(5 + n, text) for n, text in enumerate((*subjects, more))]
    shown = [one.text for one in run(*views).open]
    assert sum("make lint" in text for text in shown[:10]) == 1
    assert sum("make lint" in text for text in shown) == 2


def test_proposals_whose_quotes_tell_of_one_trouble_are_of_one_subject():
    fails = "fails: directory prefix till does not contain main module"
    said = {
        "Build each folder where its go.mod lies; ./... at the root matches nothing.":
            f"`go test ./till/...` from the root {fails}.",
        "Stay inside `till/`, which is apart.": f"`go vet ./till` from the root {fails}.",
        "Redis keeps the basket for a day.": "The basket was empty in the morning.",
        "Postcodes hold spaces.": "A postcode was rejected.",
    }  # fmt: skip
    proposals = [
        Proposal(
            id=f"P-{n}", text=text, category="workflow", importance=0.5, confidence="low",
            scope="shop", origin="agent", evidence_hash="",
            evidence=(Evidence(quote=quote, source=f"{n}", date="2026-10-01"),),
        )
        for n, (text, quote) in enumerate(said.items())
    ]  # fmt: skip
    ordered = one_a_subject(proposals, TFIDF)
    assert [one.id for one in ordered] == ["P-0", "P-2", "P-3", "P-1"]
    assert [one.id for one in differing(ordered)] == ["P-0", "P-2", "P-3"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("After a force-push, fetch and reset the branch.",
         "After a force-push to a review, ask for the ids of its threads anew."),
        ("Use `paths.root()`, not `os.getcwd()`.", "Tests of `paths.root()` need a repository."),
        ("Format with `make tidy`.", "A stale cache hides what `make tidy` reports."),
    ],
)  # fmt: skip
def test_a_shared_circumstance_function_or_command_makes_one_subject(one, other):
    assert len(shown_of(one, other)) == 1


def test_a_moment_of_any_work_makes_no_subject():
    said = (
        "Before a commit, run the linter of the web client alone.",
        "Before a commit, look through each changed file for passwords.",
    )
    assert shown_of(*said) == {*said}


def shown_of(*said):
    found = run(*(session(number, text) for number, text in enumerate(said, 1))).open
    return {one.text for one in differing(found)}
