"""What an improvement's record and its item in a file say, brought together; nothing is lost."""

from dataclasses import dataclass

from calmkb.reflect.learnings_improvements import LABELS, Words

_ORDER = ("pending", "deferred", "applied")
"""Of two states that people chose the later one stands: what is done is done."""
PARTS = ("state", "title", *LABELS)


@dataclass(frozen=True, slots=True)
class Settled:
    """The words that stand, and those of the record that gave way to other ones of the file."""

    words: Words
    otherwise: tuple[tuple[str, str], ...] = ()


def settle(record: Words, file: Words, base: Words | None) -> Settled:
    """Return the three-way merge, part by part; `base` is what both said last, None if unknown.

    A part that one side alone changed is as that side has it. Where both did, the later state
    stands, and else the file's words, which a person just wrote; the record's are handed back.
    """
    chosen: dict[str, str] = {}
    otherwise = []
    for name in PARTS:
        ours, theirs = getattr(record, name), getattr(file, name)
        old = getattr(base, name) if base else None
        if ours == theirs or theirs == old:
            chosen[name] = ours
        elif ours == old:
            chosen[name] = theirs
        elif name == "state":
            chosen[name] = max(ours, theirs, key=_ORDER.index)
        else:
            chosen[name] = theirs
            otherwise += [(LABELS.get(name, "Title"), ours)] if ours else []
    return Settled(Words(**chosen), tuple(otherwise))
