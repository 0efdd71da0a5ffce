"""Decisions that no person has confirmed: of a review that was left, or from an agent's file."""

from collections.abc import Sequence
from dataclasses import replace

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.reflect.reflection import Pending
from calmkb.model import Decision
from calmkb.store.local.open_reviews import load_review, save_review


def saved_decisions(kb: KnowledgeBase) -> list[Decision]:
    """Return what was decided in a review that was left before its end."""
    return load_review(kb.environment.state, kb.root)


def prepare_decisions(
    kb: KnowledgeBase, waiting: Pending, decisions: Sequence[Decision]
) -> list[Decision]:
    """Keep decisions for a person to confirm, those before them too; return all that are kept.

    Raises CalmError on a decision that fits no open proposal.
    """
    waiting.outcome(kb.environment, decisions)
    asked = {one.id for one in (*waiting.proposals.open, *waiting.proposals.held)}
    kept = {one.proposal_id: one for one in (*saved_decisions(kb), *decisions)}
    made = [one for key, one in kept.items() if key in asked and one.action != "skip"]
    save_decisions(kb, made)
    return made


def save_decisions(kb: KnowledgeBase, decisions: Sequence[Decision]) -> None:
    """Keep what was decided so far, on this machine alone, for when the review is gone on with."""
    redactor = kb.redactor()
    clean = [
        replace(d, text=redactor.text(d.text), reason=redactor.line(d.reason)) for d in decisions
    ]
    save_review(kb.environment.state, kb.root, clean)
