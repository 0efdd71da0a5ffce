"""Proposals that wait in pull requests, as far as this clone has heard of them."""

from calmkb.documents import parse
from calmkb.errors import RecordError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Memory
from calmkb.store.git.repository import find_repository
from calmkb.store.sharing.proposal_branches import followed, proposed_files

EVIDENCE_KEY = "proposal"
"""The front-matter key that keeps the hash of a proposal's evidence on its branch."""


def in_review(kb: KnowledgeBase, *, without: str = "") -> tuple[Memory, ...]:
    """Return the proposals that wait on branches, but for those of one branch."""
    repository = find_repository(kb.root) if kb.root.is_dir() else None
    if repository is None:
        return ()
    names = [name for name in followed(repository) if name != without]
    return tuple(m for name in names for m in memories_of(kb, name))


def memories_of(kb: KnowledgeBase, name: str) -> list[Memory]:
    """Return what a branch proposed; a file that is no memory is passed over."""
    folder, found = f"{kb.prefix}/memories", []
    for added in proposed_files(kb.repository, name, folder):
        try:
            record = parse(added.data.decode(), added.path.removeprefix(f"{kb.prefix}/"))
        except (RecordError, UnicodeDecodeError):
            continue
        found += [record] if isinstance(record, Memory) else []
    return found
