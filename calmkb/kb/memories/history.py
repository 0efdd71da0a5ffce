"""`memory history`: every version of a memory that git holds, across folders and retirement."""

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from calmkb.documents import parse
from calmkb.documents.codec import UnreadableError
from calmkb.errors import NotFoundError
from calmkb.kb.base.filed import AmbiguousIdError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.memories.files import locate
from calmkb.model import Approval, Memory
from calmkb.store.git.attributes import checked_out
from calmkb.store.git.authorship import same_person
from calmkb.store.git.file_versions import CommitSeen, Touched, commits_of

What = Literal["added", "edited", "moved", "brought back", "taken out"]
_FIELDS = (
    *("category", "importance", "confidence", "scope", "origin", "approved_by", "supersedes"),
    *("tags", "paths", "merged", "why"),
)
_NAMED = re.compile(r"-([0-9a-f]{8})(?:-\d+)?\.md\Z")
_PART = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field and what it was before and after, as text."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What one commit made of a memory; `text` is a word diff, `[-gone-] {+come+}`.

    `approval` says who the record claims approved it, where that is not who committed it.
    """

    commit: str
    at: datetime
    by: str
    subject: str
    what: What
    path: str
    text: str = ""
    fields: tuple[FieldChange, ...] = ()
    memory: Memory | None = None
    approval: str = ""


def history(kb: KnowledgeBase, prefix: str) -> tuple[str, tuple[Version, ...]]:
    """Return the id that begins with `prefix` and its versions, oldest first.

    Raises NotFoundError where neither the knowledge base nor its history knows the id.
    """
    identity, path = _identified(kb, prefix)
    folder = f"{kb.prefix}/memories"
    named = commits_of(kb.repository, [folder], mentioning=identity)
    held = _Held(kb, identity)
    paths = {t.path for c in named for t in c.touched if held.any_of(t)} | ({path} - {""})
    commits = commits_of(kb.repository, sorted(paths)) if paths else []
    versions = tuple(_versions(commits, held))
    if not versions:
        raise NotFoundError(f"git holds nothing of memory {prefix!r}; commit its file first")
    return identity, tuple(replace(one, approval=_claim(kb, one)) for one in versions)


def _claim(kb: KnowledgeBase, version: Version) -> str:
    claimed = version.memory.approved_by if version.memory else ""
    if not claimed or same_person(kb.repository, claimed, version.by):
        return ""
    return Approval(claimed, version.by, differs=True).words


def removed_ids(kb: KnowledgeBase) -> frozenset[str]:
    """Return the first eight characters of the ids of memories that were removed.

    They are read from file names; a file that a person renamed is not found.
    """
    if kb.repository_if_any is None:
        return frozenset()
    removed = commits_of(kb.repository, [f"{kb.prefix}/memories"], removing=True)
    names = (_NAMED.search(touched.path) for commit in removed for touched in commit.touched)
    return frozenset(name[1] for name in names if name)


class _Held:
    """The versions of one memory that blobs hold; each blob is read once."""

    def __init__(self, kb: KnowledgeBase, identity: str) -> None:
        self._kb, self._identity = kb, identity
        self._known: dict[tuple[str, str], Memory | None] = {}

    def at(self, path: str, blob: str) -> Memory | None:
        """Return the memory in a blob, or None where it is another record or none."""
        if not blob:
            return None
        key = (path, blob)
        if key not in self._known:
            found = _read(self._kb, path, blob)
            self._known[key] = found if found and found.id == self._identity else None
        return self._known[key]

    def any_of(self, touched: Touched) -> bool:
        """Whether the memory was at a path before or after a commit."""
        return bool(self.at(touched.path, touched.blob) or self.at(touched.path, touched.before))


def _versions(commits: Iterable[CommitSeen], held: _Held) -> Iterator[Version]:
    last: Memory | None = None
    path, begun = "", False
    for commit in commits:
        after = [(t.path, m) for t in commit.touched if (m := held.at(t.path, t.blob))]
        gone = [t.path for t in commit.touched if not t.blob and held.at(t.path, t.before)]
        if not after and not (gone and path in gone):
            continue
        before, before_path = last, path
        path, last = after[-1] if after else (before_path, None)
        if before == last and path == before_path:
            continue
        yield Version(
            commit=commit.id,
            at=commit.at,
            by=commit.email or commit.name,
            subject=commit.subject,
            what=_what(before, last, moved=path != before_path, begun=begun),
            path=path,
            text=_text_change(before, last),
            fields=tuple(_field_changes(before, last)),
            memory=last,
        )
        begun = True


def _what(before: Memory | None, after: Memory | None, *, moved: bool, begun: bool) -> What:
    if after is None:
        return "taken out"
    if before is None:
        return "brought back" if begun else "added"
    return "moved" if moved and before.text == after.text else "edited"


def word_diff(before: str, after: str) -> str:
    """Return what changed between two texts, word by word: `Use [-npm-] {+pnpm+} here.`"""
    a, b = (_PART.findall(text) for text in (before, after))
    parts = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        gone, come = "".join(a[i:j]), "".join(b[k:m])
        if kind == "equal":
            parts.append(gone)
            continue
        parts.append(f"[-{gone}-]" if gone else "")
        parts.append(" " if gone and come and not gone.isspace() else "")
        parts.append(f"{{+{come}+}}" if come else "")
    return "".join(parts)


def _text_change(before: Memory | None, after: Memory | None) -> str:
    if after is None:
        return ""
    if before is None:
        return after.text
    return word_diff(before.text, after.text) if before.text != after.text else ""


def _field_changes(before: Memory | None, after: Memory | None) -> Iterator[FieldChange]:
    if before is None or after is None:
        return
    for name in _FIELDS:
        old, new = (_as_text(getattr(memory, name)) for memory in (before, after))
        if old != new:
            yield FieldChange(name, old, new)
    if before.evidence != after.evidence:
        old, new = (f"{len(memory.evidence)} quotes" for memory in (before, after))
        yield FieldChange("evidence", old, new)


def _as_text(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _identified(kb: KnowledgeBase, prefix: str) -> tuple[str, str]:
    """Return the whole id, and where it is now (from the repository's top) or nothing."""
    try:
        filed = locate(kb, prefix)
    except AmbiguousIdError:
        raise
    except NotFoundError:
        wanted = prefix.strip().lower()
        gone = {memory.id for memory in _removed(kb, wanted)} if len(wanted) > 1 else set()
        if len(gone) == 1:
            return gone.pop(), ""
        if len(gone) > 1:
            shown = ", ".join(identity[: len(wanted) + 8] for identity in sorted(gone)[:4])
            raise NotFoundError(
                f"memory {prefix!r} is not unique ({shown}); give more of the id"
            ) from None
        raise NotFoundError(
            f"memory {prefix!r} not found, neither here nor in git's history"
        ) from None
    return filed.record.id, f"{kb.prefix}/{filed.path}"


def _removed(kb: KnowledgeBase, wanted: str) -> Iterator[Memory]:
    """Yield the removed memories whose id begins so; a file's name ends with its id's start."""
    folder = f"{kb.prefix}/memories"
    for commit in commits_of(kb.repository, [folder], removing=True):
        for touched in commit.touched:
            name = _NAMED.search(touched.path)
            if touched.blob or (name and not _may_match(name[1], wanted)):
                continue
            memory = _read(kb, touched.path, touched.before)
            if memory and memory.id.startswith(wanted):
                yield memory


def _may_match(short: str, wanted: str) -> bool:
    return short.startswith(wanted) or wanted.startswith(short)


def _read(kb: KnowledgeBase, path: str, blob: str) -> Memory | None:
    try:
        text = checked_out(kb.repository, path, blob).decode()
        record = parse(text, path.removeprefix(f"{kb.prefix}/"))
    except (UnreadableError, UnicodeDecodeError):
        return None
    return record if isinstance(record, Memory) else None
