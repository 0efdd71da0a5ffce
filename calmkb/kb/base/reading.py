"""Questions to the index; what cannot be read is noted once, for the face to say."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from calmkb.errors import NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.index.index import Index
from calmkb.store.index.project_names import project_names
from calmkb.store.index.queries import Found, with_prefix

if TYPE_CHECKING:
    from calmkb.model import Problem

T = TypeVar("T")


class AmbiguousIdError(NotFoundError):
    """The beginning of an id names several records."""


def ask_index(kb: KnowledgeBase, ask: Callable[[Index], T], *, look_at_all: bool = False) -> T:
    """Return what `ask` finds in the index of `kb`; what cannot be read goes to `kb.problems`."""
    return ask_with_problems(kb, ask, look_at_all=look_at_all)[0]


def ask_with_problems(
    kb: KnowledgeBase, ask: Callable[[Index], T], *, look_at_all: bool = False
) -> "tuple[T, tuple[Problem, ...]]":
    """Return what `ask` finds, and the files that cannot be read or are not checked out."""
    both = lambda index: (ask(index), index.problems())  # noqa: E731
    found, problems = kb.with_index(both, look_at_all=look_at_all)
    kb.note(problems)
    return found, problems


def current_project(kb: KnowledgeBase, folder: Path) -> str:
    """Return what the project of a folder is called by now, "" for none."""
    found = kb.at(folder).project
    return ask_index(kb, project_names).name(found.name, found.repository)


def find_records(kb: KnowledgeBase, prefix: str, kind: str | None = None) -> list[Found]:
    """Return the records, of a kind or of any, whose id begins with `prefix`, if that is any."""
    wanted = prefix.strip().lower()
    return ask_index(kb, lambda index: with_prefix(index, wanted, kind=kind)) if wanted else []


def only(what: str, prefix: str, found: Sequence[tuple[str, T]], missing: str) -> T:
    """Return the one thing found by the beginning of its id, of (id, thing).

    Raises NotFoundError, in the words of `missing`, where there is none; AmbiguousIdError of many.
    """
    if not found:
        raise NotFoundError(f"{what} {prefix!r} {missing}")
    if len(found) > 1:
        shown = ", ".join(name[: len(prefix.strip()) + 8] for name, _ in found[:4])
        raise AmbiguousIdError(f"{what} {prefix!r} is not unique ({shown}); give more of the id")
    return found[0][1]
