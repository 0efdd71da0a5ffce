"""The decisions of a review that was left before its end, in the order they were taken."""

from collections.abc import Sequence

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.reflect.reflection import Pending, without_secrets
from calmkb.model import Decision
from calmkb.store.local.reviews import load_review, save_review


def saved_acts(kb: KnowledgeBase, name: str = "") -> list[list[Decision]]:
    """Return what was decided in a review that was left, those of one line together.

    The review of proposals has no `name`, others have their own.
    """
    return load_review(kb.environment.state, kb.root, name)


def in_force(acts: Sequence[Sequence[Decision]]) -> dict[str, Decision]:
    """Return by proposal the decision that holds: the last, unless it took the others back."""
    last = {one.proposal_id: one for made in acts for one in made}
    return {key: one for key, one in last.items() if one.action != "skip"}


def prepare_decisions(
    kb: KnowledgeBase, waiting: Pending, decisions: Sequence[Decision]
) -> list[Decision]:
    """Keep decisions for a person to confirm, those before them too; return all that are kept.

    Raises CalmError on a decision that fits no open proposal.
    """
    waiting.outcome(kb.environment, decisions)
    asked = {one.id for one in (*waiting.proposals.open, *waiting.proposals.held)}
    kept = in_force([*saved_acts(kb), decisions])
    made = [one for key, one in kept.items() if key in asked]
    save_acts(kb, [[one] for one in made])
    return made


def save_acts(kb: KnowledgeBase, acts: Sequence[Sequence[Decision]], name: str = "") -> None:
    """Keep what was decided so far, on this machine alone, for when the review is gone on with."""
    clean = [[without_secrets(one, kb.redactor) for one in made] for made in acts]
    save_review(kb.environment.state, kb.root, clean, name)
