"""What only the text of a turn can tell: whether a phrase is in it, or a file's name."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from calmkb.model.sessions.archive import KeptTurn
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import read_turns_at
from calmkb.wings.archive.turns.search import Accepts, TurnFound, TurnsWanted
from calmkb.wings.archive.turns.words import holds, names_file


def look_through(archive: Archive, db: sqlite3.Connection, wanted: TurnsWanted) -> Accepts | None:
    """Return what accepts the turns that hold what is asked; None where the index knows it all."""
    tests = list(_tests(wanted))
    if not tests:
        return None

    def accepts(found: Sequence[TurnFound]) -> Iterable[TurnFound]:
        turns = _read(archive, db, found)
        return [
            one for one in found if one.row in turns and all(test(turns[one.row]) for test in tests)
        ]

    return accepts


def _tests(wanted: TurnsWanted) -> Iterable[Callable[[KeptTurn], bool]]:
    """Yield the tests: what is quoted must be there; where all is unspaced, one of it."""
    yield from (partial(holds, phrase=term.words) for term in wanted.terms if term.quoted)
    unspaced = [term.words for term in wanted.terms if term.unspaced]
    if unspaced and len(unspaced) == len(wanted.terms):
        yield lambda turn: any(holds(turn, words) for words in unspaced)
    if wanted.asked.file:
        yield partial(names_file, name=wanted.asked.file)


def _read(
    archive: Archive, db: sqlite3.Connection, found: Sequence[TurnFound]
) -> dict[int, KeptTurn]:
    """Return the turns by row, each frame read once."""
    frames: dict[tuple[int, int], list[TurnFound]] = defaultdict(list)
    for one in found:
        frames[one.session, one.frame].append(one)
    paths = dict(db.execute("SELECT row, path FROM sessions").fetchall())
    turns: dict[int, KeptTurn] = {}
    for (session, frame), own in frames.items():
        path, numbers = archive.folder / paths[session], [one.number for one in own]
        read = read_turns_at(path, frame, numbers)
        turns |= {one.row: turn for one, turn in zip(own, read, strict=False)}
    return turns
