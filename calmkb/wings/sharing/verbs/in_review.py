"""Proposals that wait in pull requests, as far as this clone knows them."""

from contextlib import suppress

from calmkb.documents import parse
from calmkb.errors import RecordError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Memory
from calmkb.store.git.repository import Repository
from calmkb.wings.sharing.git.proposal_branches import followed, proposed_files

EVIDENCE_KEY = "proposal"
"""The front-matter key that keeps the hash of a proposal's evidence on its branch."""


def in_review(kb: KnowledgeBase, *, without: str = "") -> tuple[Memory, ...]:
    """Return the proposals that wait on branches, but for those of one branch."""
    repository = kb.repository_if_any
    if repository is None:
        return ()
    names = [name for name in followed(repository) if name != without]
    return tuple(memory for name in names for memory in memories_on(repository, kb.prefix, name))


def memories_on(repository: Repository, journal: str, name: str) -> list[Memory]:
    """Return what a branch proposed for the folder `journal`; other files are ignored."""
    found = []
    for path, data in proposed_files(repository, name, f"{journal}/memories").items():
        with suppress(RecordError, UnicodeDecodeError):
            record = parse(data.decode(), path.removeprefix(f"{journal}/"))
            found += [record] if isinstance(record, Memory) else []
    return found
