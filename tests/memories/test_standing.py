"""What a memory stands at today: it fades, and what is said of it moves it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.errors import RecordError
from calmkb.model import CONFIDENCES, Evidence, Feedback, Memory
from calmkb.reflect.memories.confidence import current_confidence

APPROVED = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = st.integers(0, 2_000)
GIVEN = st.lists(st.tuples(st.sampled_from(("helpful", "harmful", "kept")), DAYS), max_size=6)


def memory(confidence: str = "low", evidence: tuple[int, ...] = ()) -> Memory:
    quotes = tuple(
        Evidence(quote=f"q{n}", source=f"s{n}", date=f"{APPROVED + timedelta(days=day):%Y-%m-%d}")
        for n, day in enumerate(evidence)
    )
    return Memory(
        id="00000000-0000-4000-8000-000000000001",
        created_at=APPROVED,
        text="Use pnpm.",
        category="workflow",
        confidence=confidence,
        evidence=quotes,
    )


def verdicts(given: list[tuple[str, int]]) -> list[Feedback]:
    return [
        Feedback(
            id=f"{number:08}-0000-4000-8000-000000000002",
            created_at=APPROVED + timedelta(days=day),
            memory=memory().id,
            verdict=verdict,
        )
        for number, (verdict, day) in enumerate(given)
    ]


def value(of: Memory, given: list[tuple[str, int]], day: int, half_life: float = 180) -> float:
    now = APPROVED + timedelta(days=day)
    return current_confidence(of, verdicts(given), now=now, half_life_days=half_life).value


def test_a_fresh_memory_has_the_confidence_it_was_recorded_with():
    fresh = [
        current_confidence(memory(c), [], now=APPROVED, half_life_days=180) for c in CONFIDENCES
    ]
    assert [found.value for found in fresh] == [0.5, 0.75, 0.875]
    assert [found.word for found in fresh] == list(CONFIDENCES)


def test_after_a_half_life_support_counts_half():
    assert value(memory(), [], 180) == pytest.approx(1 - 0.5**0.5)
    assert value(memory("medium"), [], 180) == pytest.approx(0.5)
    assert value(memory("medium"), [], 30, half_life=30) == pytest.approx(0.5)
    late = current_confidence(
        memory("high"), [], now=APPROVED + timedelta(days=360), half_life_days=180
    )
    assert late.word == "low"


@given(st.sampled_from(CONFIDENCES), st.lists(DAYS, max_size=5), GIVEN, DAYS, DAYS)
def test_without_new_support_it_never_rises(confidence, evidence, given, last, later):
    day = max([last, *evidence, *(day for _, day in given)])
    one = memory(confidence, tuple(evidence))
    assert 0 <= value(one, given, day + later) <= value(one, given, day) <= 1


@given(st.sampled_from(CONFIDENCES), GIVEN, DAYS, DAYS)
def test_a_helpful_verdict_lifts_it_and_a_harmful_one_lowers_it(confidence, given, day, now):
    one = memory(confidence)
    plain = value(one, given, now)
    assert value(one, [*given, ("helpful", day)], now) >= plain
    assert value(one, [*given, ("harmful", day)], now) <= plain
    assert value(one, [*given, ("kept", day)], now) == plain


@given(st.lists(st.integers(0, 400), max_size=5), DAYS, DAYS)
def test_new_evidence_never_lowers_it(evidence, day, now):
    more = memory(evidence=(*evidence, day))
    assert value(more, [], now) >= value(memory(evidence=tuple(evidence)), [], now)


def test_evidence_that_a_person_dated_in_their_own_way_is_no_fault():
    odd = Memory(
        id=memory().id, created_at=APPROVED, text="x", category="fact",
        evidence=(Evidence(quote="q", source="s", date="last spring"), Evidence(quote="bare")),
    )  # fmt: skip
    assert value(odd, [], 0) == 0.5


def test_a_half_life_below_a_day_is_refused(project, cli):
    (project / "calmkb.toml").write_text("[reflect]\nhalf_life_days = 0\n")
    said = cli("memory", "list")
    assert (said.code, "reflect.half_life_days is 0" in said.err) == (1, True)


def test_a_verdict_that_is_none_is_refused():
    with pytest.raises(RecordError, match="choose from: helpful, harmful, kept"):
        verdicts([("fine", 1)])
