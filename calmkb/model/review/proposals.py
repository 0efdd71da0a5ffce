"""A proposed learning, its verdict against what is known, and the decision on it."""

from dataclasses import dataclass, field
from typing import Literal

from calmkb.model.memories.backtest import Backtest
from calmkb.model.memories.memories import Category, Confidence, Evidence, Origin

VerdictKind = Literal["new", "duplicate", "conflict"]
Action = Literal["accept", "reject", "skip", "merge", "replace", "dismiss"]
ACTIONS: tuple[Action, ...] = ("accept", "reject", "skip", "merge", "replace", "dismiss")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on a text: `other` is the id and `text` the words of the nearest known one.

    `similarity` is 0 to 1 by the method that judged; a conflict is alike but opposite. `approval`
    says who approved that memory, where its record and git differ.
    """

    kind: VerdictKind = "new"
    other: str = ""
    text: str = ""
    similarity: float = 0.0
    approval: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A learning presented for review; its id changes with its text and its evidence.

    `paths` are globs where all its sessions touched the same folders, `turns` what it cost them,
    `held` says why it is not asked about unless all are wanted, `reasoning` is an analyst's.
    `waiting` are the ids of the memories in it that agents proposed; `tags` and `supersedes` come
    from them. `source` says whether somebody wrote what it rests on, or an import mined all of it.
    `contradicts` is where a file, a memory or another proposal says the opposite, and its words.
    `guardrail` says the same as a prohibition, where its words name what not to do.
    `alike` are the ids of others that are about the same subject.
    `backtest` tells which later sessions met its trouble, `anchors` what of the code it speaks of
    and `outdated` what of that has moved or gone, where that was asked.
    """

    id: str
    text: str
    category: Category
    importance: float
    confidence: Confidence
    scope: str
    origin: Origin
    evidence: tuple[Evidence, ...]
    evidence_hash: str
    verdict: Verdict = field(default_factory=Verdict)
    rejected: str = ""
    paths: tuple[str, ...] = ()
    turns: int = 0
    held: str = ""
    reasoning: str = ""
    waiting: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    supersedes: str = ""
    source: Literal["", "written", "mined"] = ""
    contradicts: str = ""
    alike: tuple[str, ...] = ()
    guardrail: str = ""
    backtest: Backtest | None = None
    anchors: tuple[str, ...] = ()
    outdated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person made of a proposal; `text` and `category` where they were edited.

    `scope` and `paths` are where a person says that it holds, `into` is the id of the memory that a
    `merge` adds the evidence to, or a `replace` replaces. What is dismissed is rejected for good,
    whatever evidence comes.
    """

    proposal_id: str
    action: Action
    text: str = ""
    category: Category | None = None
    importance: float | None = None
    reason: str = ""
    into: str = ""
    scope: str = ""
    paths: tuple[str, ...] = ()
