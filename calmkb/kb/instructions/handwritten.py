"""Texts that people have written by hand where an agent reads it, or the opposite of them."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from calmkb.errors import ExportError
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.instructions.files import HandwrittenMatch, InstructionFile, project_files
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.signals.known import statements_in
from calmkb.reflect.similarity.methods import Method
from calmkb.store.git.repository import find_repository

_STATEMENTS = 4_000
_QUOTED = 120


def handwritten_matches(
    texts: Sequence[str], files: Iterable[InstructionFile], method: Callable[[], Method]
) -> list[HandwrittenMatch | None]:
    """Return for each text what of `files` says the same or the opposite, None for nothing.

    Of very long files the first 4,000 statements count.
    """
    none: list[HandwrittenMatch | None] = [None for _ in texts]
    if not texts:
        return none
    every = ((one, text) for one in files for text in statements_in(one.text))
    written = list(islice(every, _STATEMENTS))
    if not written:
        return none
    known = [KnownText(f"{number:05}", text) for number, (_, text) in enumerate(written)]
    chosen = method()
    return [
        _match(
            *written[int(found.other)],
            opposite=found.kind == "conflict",
            near=found.similarity >= chosen.duplicate,
        )
        if found.kind != "new"
        else None
        for found in judge(texts, known, chosen, duplicate=chosen.duplicate)
    ]


def _match(file: InstructionFile, text: str, *, opposite: bool, near: bool) -> HandwrittenMatch:
    words = quoted(text) if file.quotable and opposite else ""
    return HandwrittenMatch(file.place, file.line_of(text), words, opposite, near)


def quoted(text: str) -> str:
    """Return words of a file fit to be shown: without secrets, on one line, cut where long."""
    from calmkb.redact.secrets import redact_secrets

    clean = " ".join(redact_secrets(text).split())
    return clean if len(clean) <= _QUOTED else f"{clean[:_QUOTED].rstrip()}…"


def instructions_of(kb: KnowledgeBase) -> Iterator[InstructionFile]:
    """Yield what the project says by hand, for whatever agent, and to newcomers."""
    try:
        folder = Path(os.path.realpath(kb.agent_folder))
    except ExportError:  # a bare repository: there are no files
        return
    repository = find_repository(folder) if folder.is_dir() else None
    top = Path(os.path.realpath(repository.top)) if repository else folder
    readers = dict.fromkeys(one.reader for one in EXPORTERS.values())
    yield from project_files(readers, folder, top, kb.environment.home)
