"""Questions to the index; what cannot be read is noted once, for the face to say."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.index.index import Index
from calmkb.store.index.project_names import project_names

if TYPE_CHECKING:
    from calmkb.model import Problem

T = TypeVar("T")


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
    found = kb.project(folder)
    return ask_index(kb, project_names).name(found.name, found.repository)
