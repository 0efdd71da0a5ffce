"""From signals to learnings: merged, classed, oldest first, and nothing that is known."""

import pytest

from calmkb.model import Signal
from calmkb.reflect.signals.classify import project_category
from calmkb.reflect.signals.known import learnt_in, statements_in
from calmkb.reflect.signals.learnings import ProjectSignal, Thresholds, gather

LEVELS = Thresholds(theme=0.30, duplicate=0.70)


def signal(number, content, kind="correction", session="s1", **more):
    return Signal(
        id=f"SIG-20260101-{number:04}", timestamp=f"2026-01-01T00:{number:02}:00Z", type=kind,
        session_id=session, confidence=2, source={"hook": "PreCompact"}, content=content, **more,
    )  # fmt: skip


def found(*signals, known=(), project="/w/shop"):
    signals = [ProjectSignal(one, project) for one in signals]
    return gather(signals, lambda _: known, LEVELS, here=project)


def texts(learnings):
    return [one.text for one in learnings]


def test_what_means_the_same_is_asked_once_in_its_most_specific_words():
    (one,) = found(
        signal(1, "Always run the tests before committing", session="a"),
        signal(2, "Run the tests with `pytest -n 2` before committing", session="b"),
        signal(3, "Run all the tests before committing", session="c"),
    ).open
    assert one.text == "Run the tests with `pytest -n 2` before committing"
    assert (one.sessions, one.confidence) == (3, "high")
    assert [s.id[-1] for s in one.signals] == ["1", "2", "3"]
    assert len(one.also) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use pnpm, not npm", "Use npm, not pnpm"),
        ("Always mock the database in tests", "Never mock the database in tests"),
        ("Run the linter before the tests", "Run the linter after the tests"),
    ],
)
def test_opposites_are_never_merged_and_a_known_opposite_is_told(one, other):
    assert len(found(signal(1, one), signal(2, other)).open) == 2
    (against,) = found(signal(1, one), known=[other]).open
    assert against.against == other


def test_commands_are_the_same_only_to_the_letter():
    made = found(
        signal(1, "npm run build", "command"), signal(2, "npm run test", "command"),
        signal(3, "npm  run build", "command", session="s2"),
    ).open  # fmt: skip
    assert texts(made) == ["`npm run build`", "`npm run test`"]
    assert [one.confidence for one in made] == ["medium", "low"]


def test_a_failure_seen_more_often_is_the_same_failure():
    (one,) = found(
        signal(1, "npm test failed 2 times: ENOENT package-lock.json", "failure", session="a"),
        signal(2, "npm test failed 5 times: ENOENT package-lock.json", "failure", session="b"),
    ).open
    assert (one.category, one.confidence) == ("Gotchas", "medium")


def test_what_is_known_is_held_back():
    file = "# Shop\n\n- We use tabs. Never use npm\n  here.\n\n```\nmake check\n```\n"
    known = [*statements_in(file),
             *learnt_in("- [LRN-20260101-0001] Keep answers short (promoted to x)\n"
                        "- [LRN-20260101-0002] Ask first (promoted to /other/CLAUDE.md)\n",
                        lambda target: target.startswith("/"))]  # fmt: skip
    made = found(
        signal(1, "never use npm here"), signal(2, "make check", "command"),
        signal(3, "keep answers short"), signal(4, "ask first"), signal(5, "x", "summary"),
        known=known,
    )  # fmt: skip
    assert texts(made.open) == ["ask first"]
    assert len(made.known) == 3


@pytest.mark.parametrize(
    ("content", "kind", "side", "scope", "category"),
    [
        ("pytest -x", "command", "agent", "project", "Commands"),
        ("npm test failed 2 times: ENOENT", "failure", "agent", "project", "Gotchas"),
        ("We follow conventional commits", "convention", "agent", "project", "Conventions"),
        ("Please keep answers short", "correction", "agent", "global", "Preferences"),
        ("Use src/app.py instead", "correction", "agent", "project", "Conventions"),
        ("Praised: a short plan first", "pattern", "agent", "global", "Preferences"),
        ("3 searches in a row found nothing: conftest; fixtures", "project_friction", "project",
         "project", "Test Structure"),
        ("3 searches in a row found nothing: README", "project_friction", "project", "project",
         "Documentation"),
        ("3 searches in a row found nothing: billing", "project_friction", "project", "project",
         "Project Structure"),
    ],
)  # fmt: skip
def test_a_learning_is_classed_by_kind_and_words(content, kind, side, scope, category):
    (one,) = found(signal(1, content, kind)).open
    assert (one.side, one.scope, one.category) == (side, scope, category)


def test_a_category_that_a_signal_brings_is_kept():
    (one,) = found(signal(1, "Name them in kebab-case", category="naming")).open
    assert (one.side, one.category) == ("project", "Naming")


def test_learnings_are_grouped_by_project_the_one_at_hand_first_and_oldest_first():
    met = [ProjectSignal(signal(3, "one two three"), "/w/shop"),
           ProjectSignal(signal(1, "red green blue"), "/w/api"),
           ProjectSignal(signal(2, "lorem ipsum dolor"), "/w/shop")]  # fmt: skip
    made = gather(met, lambda _: (), LEVELS, here="/w/shop").open
    assert texts(made) == ["lorem ipsum dolor", "one two three", "red green blue"]


def test_what_two_projects_met_holds_everywhere():
    met = [ProjectSignal(signal(1, "Use uv instead of pip"), "/w/api"),
           ProjectSignal(signal(2, "Use uv instead of pip", session="s2"), "/w/shop")]  # fmt: skip
    (one,) = gather(met, lambda _: (), LEVELS, here="/w/shop").open
    assert (one.scope, one.project) == ("global", "/w/shop")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("And totals are whole pennies", "Totals are whole pennies"),
        ("but, never use floats", "Never use floats"),
        ("Android builds need the SDK", "Android builds need the SDK"),
        ("And", "And"),
    ],
)
def test_a_learning_stands_without_the_sentence_before_it(content, text):
    (one,) = found(signal(1, content)).open
    assert one.text == text


def test_what_the_readme_lacks_is_documentation_whatever_it_is_about():
    text = "The README does not say how to start the database container for the end-to-end tests."
    assert project_category(text) == "Documentation"
