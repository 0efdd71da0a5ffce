"""What sentences say, case by case: tests/data/cases/statements.yml."""

from pathlib import Path

import pytest
import yaml

from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.signals.classify import agent_category, project_category
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.statements.wording import category_of, turns_lost

CASES = yaml.safe_load((Path(__file__).parents[2] / "data/cases/statements.yml").read_text("utf-8"))


def verdict(text, known):
    vectors = TFIDF.vectors([text, known])
    (found,) = judge([text], [KnownText("m", known)], vectors, duplicate=TFIDF.duplicate)
    return found.kind


@pytest.mark.parametrize(("one", "other"), CASES["opposite"])
def test_opposites_are_a_conflict_and_no_duplicate_both_ways(one, other):
    assert opposed(one, other) and opposed(other, one)
    assert (verdict(one, other), verdict(other, one)) == ("conflict", "conflict")


@pytest.mark.parametrize(("one", "other"), CASES["same"])
def test_the_same_in_other_words_is_never_a_conflict(one, other):
    assert not opposed(one, other) and not opposed(other, one)
    assert verdict(one, one) == "duplicate"
    assert verdict(one, other) != "conflict"


@pytest.mark.parametrize(("text", "lasting"), CASES["stable"])
def test_line_numbers_dates_and_tickets_are_removed(text, lasting):
    assert stable(text) == lasting
    assert stable(lasting) == lasting


@pytest.mark.parametrize("text", CASES["ephemeral"])
def test_a_note_of_the_day_is_held_back_with_a_reason(text):
    assert why_ephemeral(text)


@pytest.mark.parametrize("text", CASES["lasting"])
def test_a_lesson_is_not_held_back(text):
    assert not why_ephemeral(text)


@pytest.mark.parametrize(("text", "category"), CASES["category"])
def test_the_words_of_a_text_decide_its_category(text, category):
    assert category_of(text) == category


@pytest.mark.parametrize(("text", "turns"), CASES["turns_lost"])
def test_what_a_sentence_says_it_cost_is_counted_in_turns(text, turns):
    assert turns_lost(text) == turns


@pytest.mark.parametrize(("text", "kind", "heading"), CASES["heading"])
def test_a_learning_goes_under_its_heading(text, kind, heading):
    assert agent_category(text, kind) == heading


@pytest.mark.parametrize(("text", "category"), CASES["project"])
def test_an_improvement_names_the_part_of_the_project(text, category):
    assert project_category(text) == category
