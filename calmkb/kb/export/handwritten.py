"""Memories that people have written by hand where an agent reads it, or the opposite of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from calmkb.export.base import Reader
from calmkb.kb.export.instruction_files import InstructionFile, instruction_files
from calmkb.model import Memory
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.signals.known import statements_in
from calmkb.reflect.similarity.base import Method

_STATEMENTS = 4_000
_QUOTED = 120


@dataclass(frozen=True, slots=True)
class HandwrittenMatch:
    """A memory that a person's own words say, or say the opposite of: where, and the words.

    Of a file outside the project there are no words, only its place; of one inside a few.
    """

    memory: Memory
    place: str
    words: str
    opposite: bool


def handwritten_matches(
    memories: Sequence[Memory],
    reader: Reader,
    folder: Path,
    home: Path,
    method: Callable[[], Method],
    files: Iterable[Path] = (),
) -> list[HandwrittenMatch]:
    """Return the memories that hand-written text in or above `folder` duplicates or contradicts.

    `files` are looked at too. Of very long texts the first 4,000 statements count.
    """
    if not memories:
        return []
    every = (
        (one, text)
        for one in instruction_files(reader, folder, home, files)
        for text in statements_in(one.text)
    )
    written = list(islice(every, _STATEMENTS))
    if not written:
        return []
    known = [KnownText(f"{number:05}", text) for number, (_, text) in enumerate(written)]
    texts = [memory.text for memory in memories]
    chosen = method()
    vectors = chosen.vectors([*texts, *(item.text for item in known)])
    verdicts = judge(texts, known, vectors, duplicate=chosen.duplicate)
    return [
        _match(memory, *written[int(found.other)], opposite=found.kind == "conflict")
        for memory, found in zip(memories, verdicts, strict=True)
        if found.kind != "new"
    ]


def _match(memory: Memory, file: InstructionFile, text: str, *, opposite: bool) -> HandwrittenMatch:
    words = _quoted(text) if file.quotable and opposite else ""
    return HandwrittenMatch(memory, file.place, words, opposite)


def _quoted(text: str) -> str:
    from calmkb.redact.secrets import redact_secrets

    clean = " ".join(redact_secrets(text, scanner=False).split())
    return clean if len(clean) <= _QUOTED else f"{clean[:_QUOTED].rstrip()}…"
