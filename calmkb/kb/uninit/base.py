"""Steps of a removal, which can be shown before they are taken; first files that `init` made."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.project.made_files import is_as_made, made_files, usual_files
from calmkb.system.safe_paths import check_place


@dataclass(frozen=True, slots=True)
class Step:
    """Something to take out, in words, and what does it; nothing to do for what stays."""

    words: str
    act: Callable[[], None] | None = None


def file_steps(kb: KnowledgeBase) -> Iterator[Step]:
    """Yield a step for each file that is as `init` made it; what a person changed stays."""
    repository = kb.repository_if_any
    if repository is None:
        return
    top = repository.top.resolve()
    for name, digest in sorted((usual_files(kb.root, top) | made_files(repository)).items()):
        path = top / name
        if is_as_made(path, digest):
            yield Step(f"remove  {path}", partial(remove_file, path, top))
        elif path.exists() and name in made_files(repository):
            yield Step(f"keep    {path}: it was changed since calmkb init made it")


def remove_file(path: Path, top: Path) -> None:
    """Remove a file below `top`, and the folders that are empty without it."""
    check_place(path, top)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot remove {path}: {error.strerror or error}") from error
    with contextlib.suppress(OSError):
        for folder in path.parents:
            if folder == top:
                break
            folder.rmdir()
