"""A record in its file: read as git holds it, changed safely."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model.words import short_line

if TYPE_CHECKING:
    from calmkb.model import Record

R = TypeVar("R", bound="Record")
_SUBJECT_LENGTH = 70  # an ellipsis has three bytes: 72 bytes of English at most


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
