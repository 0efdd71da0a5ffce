"""A record in its file: found by the beginning of its id, read as git holds it, changed safely."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from calmkb.errors import NotFoundError, StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index
from calmkb.model.words import short_line
from calmkb.store.index.queries import with_prefix

if TYPE_CHECKING:
    from calmkb.model import Record
    from calmkb.store.index.queries import Found

R = TypeVar("R", bound="Record")
_SUBJECT_LENGTH = 72


class AmbiguousIdError(NotFoundError):
    """The beginning of an id names several records."""


@dataclass(frozen=True, slots=True)
class Filed(Generic[R]):
    """A record, its path below the journal, and the blob that git held there as it was read.

    A change that is made from it is refused once git holds another one.
    """

    record: R
    path: str
    blob: str

    @property
    def expected(self) -> Mapping[str, str]:
        """What git must still hold when a change is committed."""
        return {self.path: self.blob}


def find_records(kb: KnowledgeBase, prefix: str, kind: str) -> "list[Found]":
    """Return the records of a kind whose id begins with `prefix`; none for an empty one."""
    wanted = prefix.strip().lower()
    return ask_index(kb, lambda index: with_prefix(index, wanted, kind=kind)) if wanted else []


def read_filed(kb: KnowledgeBase, path: str, kind: type[R]) -> Filed[R]:
    """Return the record at `path` below the journal; StoreError where it is no longer one."""
    from calmkb.store.commits.worktree import tree_entries
    from calmkb.store.journal import read_record

    # First git, then the file: a change that comes in between makes the commit refuse.
    placed = f"{kb.prefix}/{path}"
    entry = ""
    if kb.repository.tip("HEAD"):
        entry = tree_entries(kb.repository, "HEAD", [placed]).get(placed, "")
    record, _ = read_record(kb.journal, path)
    if not isinstance(record, kind):
        raise StoreError(f"{path} changed as it was read; try again")
    return Filed(record, path, entry.partition(" ")[2])


def commit_message(subject: str, reason: str, trailer: str) -> str:
    """Return a commit's message: the subject cut to its length, the reason, the trailer."""
    parts = (short_line(subject, _SUBJECT_LENGTH), reason, trailer)
    return "\n\n".join(part for part in parts if part) + "\n"
