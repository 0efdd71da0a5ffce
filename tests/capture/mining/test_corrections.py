import pytest

from calmkb.capture.mining.corrections import Label, find


def classify(text: str) -> Label | None:
    found = find(text)
    return found.label if found else None


CORRECTIONS = """
no, use pnpm here. npm rewrites the lock file
no no, not npm! this is a pnpm workspace
Don't mock the database in tests, use the pg fixture
that's not right, the timezone is UTC on CI
you forgot to run the migration
please don't touch the generated files
it should be in billing/models, not in billing/api
I meant the other config file
use httpx instead of requests
why did you delete the old tests?
you're overcomplicating this, just call the existing helper
revert that, the schema is shared with billing
actually the staging db is on port 5433
the API key is read from the vault, not from .env
the tests need the database container running, start it first
hmm, can't we just keep the commits as they were?
ah. the issue is the formatter, not the generator
remove the comments you added
Nope — the config lives in infra/
"""
CONVENTIONS = """
we use pnpm in this repo, not npm
never commit directly to main
always run make lint before you push
in this project we keep fixtures in tests/fixtures
from now on put new endpoints under api/v2
yes please, match the existing test style
our convention is one file per command
new migrations go in db/migrate
"""
NEITHER = """
can you add a test for the empty case?
looks good, commit it
yes
no worries, go ahead
no need to rerun
add a retry to the payment client, max 3 attempts
should we use redis instead of postgres for this?
don't worry about the lint for now
don't commit yet
could you check whether the docs are still right?
thanks! that's exactly what I wanted
make the button blue
is the old flag deprecated?
can you explain why the lock file changed
it works now, thanks
can you review the tests so that they don't duplicate each other
I'd like to use one branch instead of two, what do you think?
"""


def lines(block: str) -> list[str]:
    return block.strip().splitlines()


@pytest.mark.parametrize("prompt", lines(CORRECTIONS))
def test_a_correction_is_heard(prompt: str) -> None:
    assert classify(prompt) in ("correction", "convention")


@pytest.mark.parametrize("prompt", lines(CONVENTIONS))
def test_a_standing_rule_is_heard(prompt: str) -> None:
    assert classify(prompt) == "convention"


@pytest.mark.parametrize("prompt", lines(NEITHER))
def test_a_wish_a_question_and_praise_are_neither(prompt: str) -> None:
    assert classify(prompt) is None


def test_code_logs_and_quotations_are_not_the_person_talking() -> None:
    assert classify("```\nnever use this\n```") is None
    assert classify("> no, don't use that") is None
    assert classify("error: you should not use npm instead of pnpm") is None


def test_a_pasted_review_is_not_the_person_talking() -> None:
    review = (
        "The function should use the existing `getGitDir()` helper instead of copying its logic."
        " The helper handles relative paths by making them absolute, which is more robust. Replace"
        " lines 12 to 20 with a call to it."
    )
    assert classify(review) is None


def test_the_sentence_that_corrects_is_found_among_others() -> None:
    found = find("Looks fine to me. No, wait: don't use npm here. Thanks")
    assert found is not None
    assert "don't use npm" in found.sentence


def test_a_long_task_is_not_a_correction_for_a_word_in_its_middle() -> None:
    task = "Build the export page. " + "It lists every order of the month in a table. " * 10
    assert classify(f"{task} The total should be in cents.") is None
