"""`memory resolve`: two edits of one memory, of which a person takes one or writes a third."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Literal

from calmkb.documents import render
from calmkb.errors import NotFoundError
from calmkb.kb.base import points
from calmkb.kb.base.filed import Filed, read_filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index, find_records
from calmkb.kb.memories.files import find_memory, message
from calmkb.model import Memory
from calmkb.store.git.file_versions import commits_of
from calmkb.store.index.queries import conflicting_edits

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Edited:
    """One of the two versions, and who committed it when; empty where it is not committed."""

    filed: Filed[Memory]
    by: str = ""
    at: datetime | None = None


def versions_of(kb: KnowledgeBase, prefix: str) -> tuple[Edited, Edited]:
    """Return the two versions of the memory whose id begins so, the one shared first on the left.

    Of three versions two are decided first. Raises NotFoundError where there are no two.
    """
    kb.catch_up()
    conflicts = ask_index(kb, conflicting_edits)
    ids = {one.fields["id"] for one in find_records(kb, prefix, "memory")}
    if len(ids) != 1 or not ids <= conflicts.keys():
        memory = find_memory(kb, prefix)
        raise NotFoundError(
            f"memory {memory.id[:8]} has one version, so there is nothing to decide"
        )
    left, right = conflicts[ids.pop()][:2]
    return _edited(kb, left), _edited(kb, right)


def resolve_memory(
    kb: KnowledgeBase,
    versions: Sequence[Edited],
    take: Side,
    *,
    text: str | None = None,
    approved_by: str,
) -> Memory:
    """Commit the version taken, in the words of `text` if given, as the memory's one file.

    Raises StoreError where either file has changed since it was read; then nothing is written.
    """
    left, right = (one.filed for one in versions)
    made = (left if take == "left" else right).record
    if text is not None:
        made = replace(made, text=kb.redactor.text(text).strip(), origin="person")
    made = points.memory_made(kb, replace(made, approved_by=approved_by))
    path = f"memories/{made.category}/{PurePosixPath(left.path).name}"
    files: dict[str, bytes | None] = {left.path: None, right.path: None}
    files[path] = render(made).encode()
    expected = {path: "", **left.expected, **right.expected}
    kb.save(files, message("resolve", made), expected=expected)
    return made


def _edited(kb: KnowledgeBase, path: str) -> Edited:
    seen = commits_of(kb.repository, [f"{kb.prefix}/{path}"])
    last = seen[-1] if seen else None
    filed = read_filed(kb, path, Memory)
    return Edited(filed, f"{last.name} <{last.email}>", last.at) if last else Edited(filed)
