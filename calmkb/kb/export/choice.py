"""Which memories go into which file: their worth, what stands by hand, what another file holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Selection, Wish, choose
from calmkb.export.tokens import estimate_tokens, without_comments
from calmkb.export.worth import Facts
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.handwritten import Met, met_by_hand
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.feedback import counted, feedback_given
from calmkb.model import Feedback, Memory
from calmkb.reflect.memories.confidence import last_support, standing


@dataclass(frozen=True, slots=True)
class Digest:
    """What one target says: the selection, the files, their tokens, and hand-written opposites."""

    selection: Selection
    outputs: tuple[Output, ...]
    tokens: int
    opposites: tuple[Met, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Whose digest it is: the folder the agent works in, the project, the bound in tokens.

    `elsewhere` says by memory id which file of the same reader holds it, `files` are the digest's
    own, where they are not at their usual places. `barred` says by memory id why it may not be
    in them.
    """

    folder: Path
    project: str
    budget: int | None
    elsewhere: Mapping[str, str]
    files: tuple[Path, ...] = ()
    barred: Mapping[str, str] = field(default_factory=dict)


def digest_for(
    kb: KnowledgeBase, exporter: Exporter, memories: Sequence[Memory], asked: Question
) -> Digest:
    """Return the digest of `memories` for one target, within its budget."""
    met = met_by_hand(kb, memories, exporter.reader, asked.folder, asked.files)
    wish = Wish(
        project=asked.project,
        budget=asked.budget,
        facts=facts_of(kb, memories),
        known={one.memory.id: one.place for one in met if not one.opposite},
        elsewhere=asked.elsewhere,
        barred=asked.barred,
        approved=_approvers(kb, memories) if exporter.reader == "program" else {},
        dialect=exporter.dialect,
    )
    cost = partial(cost_of, exporter)
    selection = choose(memories, wish, cost)
    chosen = {item.memory.id for item in selection.items}
    opposites = tuple(one for one in met if one.opposite and one.memory.id in chosen)
    return Digest(selection, exporter.render(selection), cost(selection), opposites)


def _approvers(kb: KnowledgeBase, memories: Sequence[Memory]) -> dict[str, str]:
    """Return who approved each, by git too where it says otherwise.

    What is not committed yet is as its record says: a digest must not change by its own commit.
    """
    return {
        identity: one.words if one.differs and one.committed_by else one.claimed
        for identity, one in approvals(kb, memories).items()
    }


def facts_of(kb: KnowledgeBase, memories: Sequence[Memory]) -> dict[str, Facts]:
    """Return what is known of each memory, as of the newest memory or verdict.

    Not as of today: a digest changes when what it is made of changes, and on no other day.
    """
    given = feedback_given(kb, memories)
    moments = [memory.created_at for memory in memories]
    moments += [item.created_at for items in given.values() for item in items]
    if not moments:
        return {}
    return {
        memory.id: _facts(kb, memory, given.get(memory.id, ()), max(moments)) for memory in memories
    }


def _facts(kb: KnowledgeBase, memory: Memory, given: Sequence[Feedback], now: datetime) -> Facts:
    counts = counted(given)
    days = kb.config.reflect.half_life_days
    return Facts(
        standing=standing(memory, given, now=now, half_life_days=days).value,
        sessions=max(1, len({item.source for item in memory.evidence})),
        age_days=(now - last_support(memory, given)).total_seconds() / 86_400,
        helpful=counts.helpful,
        harmful=counts.harmful,
    )


def cost_of(exporter: Exporter, selection: Selection) -> int:
    """Return the tokens of the files: headings and front matter count, comments do not."""
    if exporter.reader == "program":  # its document tells of what was left out too
        return sum(item.tokens for item in selection.items)
    outputs = exporter.render(selection)
    return sum(estimate_tokens(without_comments(one.front + one.body)) for one in outputs)
