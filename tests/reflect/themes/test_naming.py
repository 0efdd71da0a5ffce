"""What heads a theme holds for all that is under it: one statement, or a topic."""

from calmkb.reflect.similarity.terms import names
from calmkb.reflect.statements.statements import statements_of
from calmkb.reflect.themes.naming import topic_of
from calmkb.reflect.themes.themes import themes
from tests.reflect.proposals.test_proposals import session
from tests.reflect.statements.test_lessons import STALE, filler

HUNG = "The e2e tests hung because the database container was not running."
LINT = [
    "Lint rejected the unchecked error of the invoice parser.",
    "Lint asked for a wrapped error in the billing client.",
    "The new linter rule rejected a shadowed variable in the parser.",
    "Lint failed on a missing case of the currency switch.",
    "Local lint passed while the one in CI found an unused import.",
]


def headed(*friction):
    views = [session(number, text) for number, text in enumerate(friction, 1)]
    return [(one.title, bool(one.topic), one.sessions) for one in themes(statements_of(views), ())]


def test_sessions_that_say_one_thing_are_headed_by_it():
    title, is_topic, sessions = headed(HUNG, HUNG.replace("e2e", "end-to-end"))[0]
    assert (title.endswith("was not running."), is_topic, sessions) == (True, False, 2)


def test_a_topic_is_named_by_the_words_that_its_texts_share():
    others = [f"The {word} page was slow under load." for word in ("cart", "price", "stock")]
    seen = {}
    for text in (*LINT, *others):
        for stem in names(text):
            seen[stem] = seen.get(stem, 0) + 1
    name, inside = topic_of(LINT, seen, len(LINT) + len(others))
    assert "lint" in name.casefold()
    assert name[0].isupper()
    assert set(LINT[:2]) <= inside


def test_what_shares_no_telling_word_is_no_topic():
    assert topic_of(["The cart was slow.", "A token expired."], {}, 2) == ("", frozenset())


def test_every_member_of_a_topic_has_one_of_its_words():
    views = [session(n, text) for n, text in enumerate(LINT * 2, 1)]
    for theme in themes(statements_of(views), ()):
        words = set(theme.topic.casefold().replace(",", " ").replace(" and ", " ").split())
        for item in theme.evidence if theme.topic else ():
            assert any(word[:4] in item.quote.casefold() for word in words)


def test_no_statement_is_lost_and_none_stands_twice():
    views = [session(n, text) for n, text in enumerate([*LINT, HUNG, HUNG], 1)]
    told = [(e.source, e.quote) for one in themes(statements_of(views), ()) for e in one.evidence]
    assert len(told) == len(set(told)) == len(LINT) + 2


def test_a_lesson_in_several_words_is_a_theme_and_comes_before_a_topic():
    lint = [session(n, text) for n, text in enumerate(LINT, 1)]
    told = [session(50 + n, text) for n, text in enumerate(STALE)]
    found = themes(statements_of([*filler(), *lint, *told]), ())
    first = found[0]
    assert ([item.quote for item in first.evidence], first.topic) == (list(STALE), "")
    assert [bool(one.topic) for one in found] == sorted(bool(one.topic) for one in found)
