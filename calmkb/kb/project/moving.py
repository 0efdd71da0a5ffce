"""Sessions of a repository that went into the personal knowledge base: moved into its journal."""

from dataclasses import dataclass

from calmkb.config import DEFAULT_ROOT, load_config
from calmkb.errors import CalmError
from calmkb.kb.base.filed import Filed, read_filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index
from calmkb.model import Entry
from calmkb.model.words import counted
from calmkb.store.index.queries import newest_sessions, record_ids

_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Moved:
    """How many sessions were moved, and how many stay: reflections over there cite them."""

    moved: int
    cited: int


def personal_sessions(kb: KnowledgeBase) -> tuple[list[str], int]:
    """Return where the personal knowledge base holds sessions of the repository at hand.

    Those that a reflection there cites are only counted. None where the repository has no journal.
    """
    source = _personal(kb)
    key = kb.project.repository
    if kb.is_personal or not key or not source.journal.is_dir():
        return [], 0
    rows = ask_index(source, lambda index: newest_sessions(index, limit=_ALL))
    ours = [row for row in rows if row.fields["repository"].casefold() == key.casefold()]
    paths = [row.path for row in ours if row.reflection is None]
    return paths, len(ours) - len(paths)


def move_sessions(kb: KnowledgeBase) -> Moved:
    """Commit those sessions in the journal of the repository, then remove them over there.

    Killed in between, a session is in both, and the next call removes what is in the journal.
    """
    if kb.is_personal:
        raise CalmError(
            "this repository has no journal to move sessions into; get a colleague's with: "
            "git fetch, or begin one with: calmkb init"
        )
    source = _personal(kb)
    source.catch_up()
    kb.catch_up()
    paths, cited = personal_sessions(kb)
    filed = [read_filed(source, path, Entry) for path in paths]
    if filed:
        _copy(filed, source, kb)
        expected = {path: blob for one in filed for path, blob in one.expected.items()}
        files: dict[str, bytes | None] = {one.path: None for one in filed}
        note = f"move: {counted(len(filed), 'session')} into the journal of their repository"
        source.save(files, note, expected=expected)
    return Moved(len(filed), cited)


def _copy(filed: list[Filed[Entry]], source: KnowledgeBase, target: KnowledgeBase) -> None:
    known = {identity for _, _, identity in ask_index(target, record_ids)}
    new: dict[str, bytes | None] = {
        one.path: (source.journal / one.path).read_bytes()
        for one in filed
        if one.record.id not in known
    }
    if new:
        note = f"move: {counted(len(new), 'session')} from a personal knowledge base"
        target.save(new, note, expected=dict.fromkeys(new, ""))


def _personal(kb: KnowledgeBase) -> KnowledgeBase:
    root = kb.environment.home / DEFAULT_ROOT
    return KnowledgeBase(root, load_config(root), kb.environment)
