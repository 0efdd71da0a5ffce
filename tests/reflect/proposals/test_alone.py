"""A lesson stands alone, or it is held back."""

import pytest

from calmkb.reflect.statements.alone import why_not_alone

ALONE = [
    "There is no `commit` skill; stage the files by name and use `git commit`.",
    "No tests for trivia: test what a user would miss.",
    "Only the payments team merges here, since it carries the pager.",
    "Test repositories need a real `git init`; a hand-made `.git` folder fails.",
    "Use `I18n.t` for labels; `my_app/locales` holds them.",
    "Call the API by `fetchJson` instead of `fetch`; the latter hides errors.",
    "This is a pnpm workspace: add packages with `pnpm add`.",
    "This project pins ruff; do not upgrade it by hand.",
    "Der Dienst braucht `DB_URL`, sonst startet er nicht.",
]
NOT_ALONE = {
    "Is the cache warm?": "a question",
    "Run these in order:": "cut off",
    "Run `make lint": "cut off",
    "This fails without the cache.": "refers back to what was said before",
    "It fails without the cache.": "refers back to what was said before",
    "Use `gitutil.Status` instead.": "refers back to what was said before",
    "I prefer the long flags.": "written in the first person",
    "Close SHOP-12 once the ledger is in.": "about one piece of work",
}


@pytest.mark.parametrize("text", ALONE)
def test_a_sentence_with_its_own_subject_stands_alone(text):
    assert why_not_alone(text) == ""


@pytest.mark.parametrize(("text", "reason"), NOT_ALONE.items())
def test_what_points_elsewhere_does_not(text, reason):
    assert why_not_alone(text) == reason
