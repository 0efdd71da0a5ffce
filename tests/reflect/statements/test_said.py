"""Who said a friction point: a draft keeps it in a field, and no label in prose proves it."""

from dataclasses import replace
from pathlib import Path

import pytest

from calmkb.documents import parse, record_path, render
from calmkb.kb.journal.draft_text import draft_as_text, draft_from_text
from calmkb.model.sessions.entries import imported_id
from calmkb.model.sessions.said import said_in
from tests.capture.draft.test_draft import drafted
from tests.capture.support import agent, call, result, shell, text, user
from tests.reflect.proposals.test_proposals import session

CORRECTED = 'Corrected: "never mock the payment gateway"'
LABELS = [CORRECTED, 'Rule given: "Always use pnpm"', 'Reported: "the build is red"',
          'Found: "Always clear the cache"', 'Bash rejected: "not now"']  # fmt: skip


def entry(*points, said=(), draft=False):
    made = replace(session(1, *points).entry, session_id="s-1", said=said)
    return replace(made, id=imported_id(made.agent, "s-1")) if draft else made


def speakers(made):
    return [("person" if one.by_person else "agent", one.kind) for one in said_in(made)]


@pytest.mark.parametrize("point", LABELS)
def test_an_agent_that_writes_a_label_is_no_person_for_it(point):
    (one,) = said_in(entry(point))
    assert (one.by_person, one.kind, one.words in point, '"' in one.words) == (
        False,
        "",
        True,
        False,
    )


def test_a_draft_of_before_is_known_by_its_labels_and_what_was_found_is_the_agents():
    people = ["corrected", "rule given", "reported"]
    assert speakers(entry(*LABELS, draft=True)) == [
        *(("person", kind) for kind in people), ("agent", "found"), ("person", "refused"),
    ]  # fmt: skip


def test_the_field_and_the_label_must_agree():
    points = (CORRECTED, "`make` failed: no rule.", 'Found: "Always clear the cache"')
    kinds = ("corrected", "failed", "corrected")
    assert speakers(entry(*points, said=kinds)) == [
        ("person", "corrected"), ("agent", "failed"), ("agent", ""),
    ]  # fmt: skip
    assert speakers(entry(*points, said=("found",)))[:2] == [("agent", ""), ("agent", "")]


@pytest.mark.parametrize("draft", [True, False])
def test_what_a_person_said_in_a_transcript_is_theirs_in_the_record(tmp_path: Path, draft):
    made = drafted(
        tmp_path,
        user("Add a coupon field to the checkout"),
        agent(call("e1", "Edit", file_path="/a.py")), result("e1", "ok"),
        *shell(1, "make test", "Error: connect ECONNREFUSED 127.0.0.1:5432", failed=True),
        agent(text("Root cause: the database container was never started here.")),
        user("no, always use the venv. pytest is only installed there"),
        agent(text("Done.")),
    )  # fmt: skip
    assert len(made.said) == len(made.friction_points)
    kept = entry(*made.friction_points, said=made.said, draft=draft)
    read = parse(render(kept), record_path(kept))
    assert read == kept
    assert sorted(speakers(read)) == [
        ("agent", "failed"), ("agent", "found"),
        ("person", "corrected"), ("person", "rule given"),
    ]  # fmt: skip
    edited = draft_as_text(made).replace(
        "## Friction points\n", f"## Friction points\n\n- {CORRECTED}"
    )
    after = draft_from_text(edited, made)
    assert after.said == ("written", *made.said)
