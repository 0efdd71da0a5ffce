"""An export that would forget memories because they cannot be read right now is refused."""

import re
from collections.abc import Iterator, Sequence

from calmkb.documents.paths import FOLDERS
from calmkb.errors import ExportError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.files import Change
from calmkb.kb.journal.sessions import read_contents
from calmkb.store.git.repository import run_git

_SOURCES = re.compile(rb"<!-- calmkb: ([0-9a-f ]+) -->")


def check_nothing_is_hidden(kb: KnowledgeBase, changes: Sequence[Change]) -> None:
    """Raise ExportError where a file would lose a memory whose record is there and is not read.

    A record may be unreadable, or be in the last commit but not in the work tree: a sparse
    checkout, or a file deleted by hand.
    """
    for change in changes:
        lost = _ids(change.before) - _ids(change.after)
        if not lost:
            continue
        for why in (*_not_checked_out(kb, lost), *_unreadable(kb)):
            raise ExportError(
                f"{change.path} would lose {len(lost)} "
                f"{'memory' if len(lost) == 1 else 'memories'}, and {why}; nothing was written. "
                "Fix that, or export without them with --force"
            )


def _ids(data: bytes | None) -> set[str]:
    """Return the beginnings of the ids of the memories that a digest names."""
    return {one.decode() for found in _SOURCES.findall(data or b"") for one in found.split()}


def _unreadable(kb: KnowledgeBase) -> Iterator[str]:
    folder = FOLDERS["memory"]
    for problem in read_contents(kb, "memory").problems:
        if problem.path.startswith((f"{folder}/", "./")):
            yield f"{kb.config.journal}/{problem.path} cannot be read: {problem.message}"


def _not_checked_out(kb: KnowledgeBase, lost: set[str]) -> Iterator[str]:
    folder = f"{kb.prefix}/{FOLDERS['memory']}"
    asked = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", folder]
    top = kb.repository.top
    if kb.repository.tip("HEAD") is None:
        return
    for path in run_git(asked, cwd=top).decode(errors="surrogateescape").split("\0"):
        if any(one in path for one in lost) and not (top / path).exists():
            yield f"{path} is in the last commit but not in the work tree"
