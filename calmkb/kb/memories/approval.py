"""Who approved a memory: the commit that brought its words says it, not a field of the record."""

from collections.abc import Sequence
from functools import cache, partial

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Approval, Memory
from calmkb.store.git.attributes import blob_id, is_stored_as
from calmkb.store.git.authorship import Committed, committed_files, same_person
from calmkb.store.git.repository import Repository, is_shallow
from calmkb.store.index.queries import memory_paths


def approvals(kb: KnowledgeBase, memories: Sequence[Memory]) -> dict[str, Approval]:
    """Return by id who approved each memory, by its record and by git.

    Where two files share an id, a contradiction in either is returned.
    """
    judge = _judge(kb) if memories else None
    if judge is None:
        return {memory.id: Approval(memory.approved_by) for memory in memories}
    paths = kb.with_index(memory_paths)
    found: dict[str, Approval] = {}
    for memory in memories:
        made = [judge.approval(claimed, path) for path, claimed in paths.get(memory.id, ())]
        made.sort(key=lambda one: not one.differs)
        found[memory.id] = made[0] if made else Approval(memory.approved_by, differs=True)
    return found


def approvals_by_path(kb: KnowledgeBase) -> dict[str, Approval]:
    """Return who approved each memory by its file: each of two edits has its own approver."""
    judge = _judge(kb)
    if judge is None:
        return {}
    files = (one for found in kb.with_index(memory_paths).values() for one in found)
    return {path: judge.approval(claimed, path) for path, claimed in files}


def approval_of(kb: KnowledgeBase, memory: Memory) -> Approval:
    """Return who approved one memory."""
    return approvals(kb, [memory])[memory.id]


def forged(kb: KnowledgeBase, memories: Sequence[Memory]) -> dict[str, str]:
    """Return by id what git contradicts: who approved it by the record, and who committed it."""
    return {identity: one.words for identity, one in approvals(kb, memories).items() if one.differs}


def _judge(kb: KnowledgeBase) -> "_Judge | None":
    repository = kb.repository_if_any
    if repository is None or not kb.journal.is_dir():
        return None
    return _Judge(kb, repository, committed_files(repository, f"{kb.prefix}/memories"))


class _Judge:
    """Compares records with their commits; addresses are compared once each."""

    def __init__(
        self, kb: KnowledgeBase, repository: Repository, files: dict[str, Committed]
    ) -> None:
        self._kb, self._repository, self._files = kb, repository, files
        self._shallow = is_shallow(repository)
        self._is_same = cache(partial(same_person, repository))

    def approval(self, claimed: str, path: str) -> Approval:
        """Return what the file at `path` (below the journal), which claims so, and git say."""
        found = self._files.get(f"{self._kb.prefix}/{path}")
        if found is None or not self._is_held(path, found.blob):
            return Approval(claimed, differs=True)
        if self._shallow or not found.author:
            return Approval(claimed)
        # A merge approves; who wrote what was merged may have approved it on a branch.
        who = [one for one in (found.merger, found.author) if one]
        agrees = not claimed or any(self._is_same(claimed, one) for one in who)
        committed = found.merger or found.author
        return Approval(claimed, committed, differs=not agrees)

    def _is_held(self, path: str, blob: str) -> bool:
        """Say whether a file is what git holds; a checkout may have turned its line ends."""
        try:
            data = (self._kb.journal / path).read_bytes()
        except OSError:
            return False
        if blob_id(data.replace(b"\r\n", b"\n"), blob) == blob:
            return True
        return is_stored_as(self._repository, f"{self._kb.prefix}/{path}", data, blob)
