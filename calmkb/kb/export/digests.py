"""Digests: which memories go into which file, and what they are chosen by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, partial
from pathlib import Path

from calmkb.config import ExportSettings
from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Selection, SelectionRequest, choose, in_scope
from calmkb.export.tokens import estimate_tokens, without_comments
from calmkb.export.worth import Facts
from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index
from calmkb.kb.export.targets_there import targets_there
from calmkb.kb.instructions.files import HandwrittenMatch, instruction_files
from calmkb.kb.instructions.handwritten import handwritten_matches
from calmkb.kb.journal.sessions import read_memories
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.feedback import counted, feedback_given
from calmkb.kb.search.methods import method_of
from calmkb.model import Approval, Feedback, Memory
from calmkb.reflect.memories.confidence import current_confidence, last_support
from calmkb.reflect.signals.known import count_instructions
from calmkb.reflect.similarity.methods import Method
from calmkb.store.index.project_names import ProjectNames, project_names

UNBOUNDED = ("skill", "json", "markdown", "claude-memory")
"""Targets without a bound in tokens, unless one is asked for."""


@dataclass(frozen=True, slots=True)
class DigestSource:
    """What all digests of a knowledge base are made of, read once.

    `folder` is where the agent works, `project` what it is called by the `names` of today. Where no
    targets are `configured`, `settings` has those there are. `given` is the feedback. Who approved
    what, and which names what is gone, is asked of git, and the similarity method loaded, only for
    the targets that need it.
    """

    memories: tuple[Memory, ...]
    given: Mapping[str, Sequence[Feedback]]
    facts: Mapping[str, Facts]
    settings: ExportSettings
    configured: bool
    names: ProjectNames
    project: str
    folder: Path
    home: Path
    approvals: Callable[[], Mapping[str, Approval]]
    withheld: Callable[[], Mapping[str, str]]
    method: Callable[[], Method]

    def folder_for(self, place: str) -> Path:
        """Return the folder that files of a place lie below: the home for `user`."""
        return self.home if place == "user" else self.folder

    def budget_for(self, target: str) -> int | None:
        """Return the configured bound of a target in tokens."""
        return None if target in UNBOUNDED else self.settings.max_tokens


@dataclass(frozen=True, slots=True)
class Digest:
    """What one target says: the selection, the files, their tokens, and hand-written opposites.

    `handwritten` counts the items and paragraphs that people wrote for the same reader.
    """

    selection: Selection
    outputs: tuple[Output, ...]
    tokens: int
    opposites: tuple[tuple[Memory, HandwrittenMatch], ...] = ()
    handwritten: int = 0


@dataclass(frozen=True, slots=True)
class DigestRequest:
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


def open_source(kb: KnowledgeBase, memories: Sequence[Memory] | None = None) -> DigestSource:
    """Read what digests are made of; of `memories` instead of those that `kb` holds, if given."""
    known = read_memories(kb) if memories is None else tuple(memories)
    folder = kb.agent_folder
    given = feedback_given(kb, known)
    here, names = kb.at(folder).project, ask_index(kb, project_names)
    project = names.name(here.name, here.repository)
    targets = targets_there(kb.config.export, folder, in_scope(known, project))
    return DigestSource(
        memories=known,
        given=given,
        facts=_facts_of(known, given, kb.config.reflect.half_life_days),
        settings=replace(kb.config.export, targets=targets),
        configured=bool(kb.config.export.targets),
        names=names,
        project=project,
        folder=folder,
        home=kb.environment.home,
        approvals=partial(approvals, kb, known),
        withheld=cache(partial(_withheld, kb, known)),
        method=partial(method_of, kb),
    )


def _withheld(kb: KnowledgeBase, memories: Sequence[Memory]) -> dict[str, str]:
    """Return by memory id why it is left out: the first thing that it names and that is gone."""
    found = points.memory_faults(kb, memories).items()
    return {key: one.message for key, faults in found for one in reversed(faults) if one.gone}


def digest_for(source: DigestSource, exporter: Exporter, request: DigestRequest) -> Digest:
    """Return the digest of the memories for one target, within its budget."""
    written = tuple(instruction_files(exporter.reader, request.folder, source.home, request.files))
    texts = [memory.text for memory in source.memories]
    found = zip(source.memories, handwritten_matches(texts, written, source.method), strict=True)
    matches = [(memory, match) for memory, match in found if match]
    selection_request = SelectionRequest(
        project=request.project,
        budget=request.budget,
        facts=source.facts,
        known={memory.id: one.place for memory, one in matches if not one.opposite},
        elsewhere=request.elsewhere,
        barred={**source.withheld(), **request.barred},
        approved=_approvers(source.approvals()) if exporter.for_programs else {},
        dialect=exporter.dialect,
    )
    cost = partial(cost_of, exporter)
    selection = choose(source.memories, selection_request, cost)
    chosen = {item.memory.id for item in selection.items}
    opposites = tuple(pair for pair in matches if pair[1].opposite and pair[0].id in chosen)
    return Digest(
        selection,
        exporter.render(selection),
        cost(selection),
        opposites,
        handwritten=sum(count_instructions(one.text) for one in written),
    )


def cost_of(exporter: Exporter, selection: Selection) -> int:
    """Return the tokens of the files: headings and front matter count, comments do not."""
    if exporter.for_programs:  # its document tells of what was left out too
        return sum(item.tokens for item in selection.items)
    outputs = exporter.render(selection)
    return sum(estimate_tokens(without_comments(one.front + one.body)) for one in outputs)


def elsewhere_of(target: str, targets: Sequence[str], memories: Sequence[Memory]) -> dict[str, str]:
    """Return which memories another target writes for the same reader.

    Those for some paths are rules, the others are in the memory file.
    """
    if target == "claude-md" and "claude-rules" in targets:
        return {memory.id: "claude-rules" for memory in memories if memory.paths}
    if target == "claude-rules" and "claude-md" in targets:
        return {memory.id: "claude-md" for memory in memories if not memory.paths}
    return {}


def _approvers(found: Mapping[str, Approval]) -> dict[str, str]:
    """Return who approved each, by git too where it says otherwise.

    What is not committed yet is as its record says: a digest must not change by its own commit.
    """
    return {
        memory_id: one.words if one.differs and one.committed_by else one.claimed
        for memory_id, one in found.items()
    }


def _facts_of(
    memories: Sequence[Memory], given: Mapping[str, Sequence[Feedback]], half_life_days: int
) -> dict[str, Facts]:
    """Return what is known of each memory, as of the newest memory or verdict.

    Not as of today: a digest changes when what it is made of changes, and on no other day.
    """
    moments = [memory.created_at for memory in memories]
    moments += [item.created_at for items in given.values() for item in items]
    if not moments:
        return {}
    now = max(moments)
    return {one.id: _facts(one, given.get(one.id, ()), now, half_life_days) for one in memories}


def _facts(memory: Memory, given: Sequence[Feedback], now: datetime, half_life_days: int) -> Facts:
    counts = counted(given)
    return Facts(
        standing=current_confidence(memory, given, now=now, half_life_days=half_life_days).value,
        sessions=max(1, len({item.source for item in memory.evidence})),
        age_days=(now - last_support(memory, given)).total_seconds() / 86_400,
        helpful=counts.helpful,
        harmful=counts.harmful,
    )
