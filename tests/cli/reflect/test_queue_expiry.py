"""A queue does not rot: what nobody decided on in 14 days leaves it, and comes back with cause."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from calmkb.config import Config
from calmkb.documents import record_path, render
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.unwrapped import waiting
from calmkb.kb.memories.agent_proposals import ProposalRequest, propose_memory
from calmkb.kb.reflect.reflection import apply, pending
from calmkb.model import Decision, Entry

NOW = datetime(2026, 10, 19, 12, 0, 0, tzinfo=UTC)
PNPM = "npm install broke the lockfile; use pnpm for every script"
SLOW = "The cart test takes a minute because it starts a browser"


@pytest.fixture
def on(project: Path):
    """Return the knowledge base as it is so many days later."""

    def at(days: float = 0) -> KnowledgeBase:
        now = NOW + timedelta(days=days)
        return KnowledgeBase(
            project, Config(), Environment(home=project.parent, cwd=project, now=lambda: now)
        )

    return at


def add(kb: KnowledgeBase, number: int, friction: str, *, days_ago: float = 0) -> None:
    """Add a session that ended so many days before it came into the journal."""
    entry = Entry(
        id=f"{number:08}-0000-4000-9000-000000000002",
        created_at=kb.environment.now() - timedelta(days=days_ago),
        summary="Worked.",
        project_name="shop",
        friction_points=(friction,),
    )
    kb.save({record_path(entry): render(entry).encode()}, "a session")


def asked(kb: KnowledgeBase, **how: bool) -> list[str]:
    return [one.text for one in pending(kb, **how).proposals.open]


def test_what_nobody_decided_on_in_14_days_is_asked_no_more_and_stays_to_be_had(on):
    add(on(), 1, PNPM)
    assert len(asked(on(13.9))) == 1
    late = on(14.1)
    assert asked(late) == []
    (held,) = pending(late).proposals.held
    assert held.held == "not decided in 14 days"
    assert len(asked(late, everything=True)) == 1


def test_it_comes_back_with_a_new_session_that_says_so(on):
    add(on(), 1, PNPM)
    add(on(20), 2, PNPM + " again")
    (one,) = pending(on(20)).proposals.open
    assert len({evidence.source for evidence in one.evidence}) == 2


def test_a_session_of_long_ago_that_was_imported_today_is_fresh(on):
    add(on(), 1, PNPM, days_ago=60)
    assert len(asked(on(10))) == 1
    assert asked(on(15)) == []


def test_the_next_review_records_what_left_the_queue_and_is_done_with_its_session(on):
    add(on(), 1, PNPM)
    add(on(20), 2, SLOW)
    found = pending(on(20))
    (one,) = found.proposals.open
    done = apply(
        on(20), found, [Decision(proposal_id=one.id, action="reject")], reviewed_by="ada"
    ).reflection
    assert [(s.heading, PNPM in s.text) for s in done.sections] == [
        ("Not decided in 14 days", True)
    ]
    assert len(done.entries) == 2
    after = pending(on(21))
    assert not after.proposals.open and not after.proposals.held
    assert PNPM in asked(on(21), everything=True)


def test_what_an_agent_proposed_leaves_the_queue_too_and_makes_room(on):
    propose_memory(on(), ProposalRequest(content="Use pnpm for every script.", category="workflow"))
    assert len(asked(on(13))) == 1
    add(on(20), 2, SLOW)
    found = pending(on(20))
    assert [one.text for one in found.proposals.open] == [SLOW]
    (one,) = found.proposals.open
    apply(on(20), found, [Decision(proposal_id=one.id, action="reject")], reviewed_by="ada")
    assert "Use pnpm for every script." not in asked(on(20), everything=True)


def test_the_line_at_a_sessions_start_counts_what_is_fresh(on):
    add(on(), 1, PNPM)
    assert waiting(on(1), "shop").entries == 1
    assert waiting(on(15), "shop").entries == 0


def test_a_person_is_told_what_left_the_queue(on, cli):
    add(on(-400), 1, PNPM)
    said = cli("reflect", "--dry-run").out
    assert "1 held back: not decided in 14 days. See them: calmkb reflect --all" in said
