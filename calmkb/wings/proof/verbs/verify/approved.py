"""`verify` of approved memories: what they speak of, in the repository that `verify` runs in."""

from dataclasses import dataclass

from calmkb.documents.findings import Finding
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_memories
from calmkb.store.git.repository import find_repository
from calmkb.wings.proof.verbs.verify.anchors import anchor_findings
from calmkb.wings.proof.verbs.verify.memories import project_repository


@dataclass(frozen=True, slots=True)
class VerifiedMemories:
    """What was held against the code, and what is wrong with it."""

    memories: int
    anchors: int
    findings: tuple[Finding, ...]


def verified(kb: KnowledgeBase, *, at: str = "", since: str = "") -> VerifiedMemories | None:
    """Return the findings on memories of the project here; None where there are none of it.

    A memory that another replaces is left out.
    """
    if not kb.journal.is_dir():
        return None
    place = project_repository(kb)
    here = find_repository(kb.environment.cwd)
    if place is None or here is None or place.repository.top != here.top:
        return None
    memories = read_memories(kb)
    replaced = {memory.supersedes for memory in memories}
    own = [one for one in memories if one.anchors and one.id not in replaced]
    found = tuple(anchor_findings(kb, own, at=at, since=since))
    return VerifiedMemories(len(own), sum(len(one.anchors) for one in own), found)
