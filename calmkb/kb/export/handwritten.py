"""Memories that people have written by hand where an agent reads it, or the opposite of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from calmkb.export.base import Reader
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.instruction_files import Written, written_for
from calmkb.kb.search.methods import method_of
from calmkb.model import Memory
from calmkb.reflect.proposals.verdicts import Known, judge
from calmkb.reflect.signals.known import statements_in

_STATEMENTS = 4_000
_QUOTED = 120


@dataclass(frozen=True, slots=True)
class Met:
    """A memory that a person's own words say, or say the opposite of: where, and the words.

    Of a file outside the project there are no words, only its place; of one inside a few.
    """

    memory: Memory
    place: str
    words: str
    opposite: bool


def met_by_hand(
    kb: KnowledgeBase,
    memories: Sequence[Memory],
    reader: Reader,
    folder: Path,
    files: Iterable[Path] = (),
) -> list[Met]:
    """Return the memories that hand-written text in or above `folder` duplicates or contradicts.

    `files` are looked at too. Of very long texts the first 4,000 statements count.
    """
    if not memories:
        return []
    every = (
        (one, text)
        for one in written_for(reader, folder, kb.environment.home, files)
        for text in statements_in(one.text)
    )
    said = list(islice(every, _STATEMENTS))
    if not said:
        return []
    known = [Known(f"{number:05}", text) for number, (_, text) in enumerate(said)]
    method = method_of(kb)
    texts = [memory.text for memory in memories]
    vectors = method.vectors([*texts, *(item.text for item in known)])
    verdicts = judge(texts, known, vectors, duplicate=method.duplicate)
    return [
        _met(memory, *said[int(found.other)], opposite=found.kind == "conflict")
        for memory, found in zip(memories, verdicts, strict=True)
        if found.kind != "new"
    ]


def _met(memory: Memory, where: Written, text: str, *, opposite: bool) -> Met:
    words = _quoted(text) if where.quotable and opposite else ""
    return Met(memory, where.place, words, opposite)


def _quoted(text: str) -> str:
    from calmkb.redact.secrets import redact_secrets

    said = " ".join(redact_secrets(text, scanner=False).split())
    return said if len(said) <= _QUOTED else f"{said[:_QUOTED].rstrip()}…"
