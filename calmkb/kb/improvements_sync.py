"""A project's `.claude/improvements.md` and the records of its improvements, kept in step.

What a person changed in the file goes into the records, what changed in the records into the file.
"""

from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from calmkb.errors import CalmError
from calmkb.export.safe_text import one_line
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.improvements import list_improvements, store_improvement
from calmkb.kb.improvements_ledger import Seen, branch_of, note_seen, seen_in
from calmkb.kb.improvements_settling import adopted, defer, read_back
from calmkb.kb.learning_files import improvements_file, read_text, real
from calmkb.kb.learning_places import project_at
from calmkb.kb.scaffold import ensure_kb
from calmkb.model import Improvement
from calmkb.reflect.improvements_edit import put_item, put_mark
from calmkb.reflect.improvements_file import Item, read_board, said
from calmkb.reflect.learnings_improvements import IMPROVEMENTS, SECTIONS, Words, entry, words_of
from calmkb.reflect.learnings_sections import add_entry
from calmkb.store.files import make_private_folder, write_atomically

PLACE = ".claude/improvements.md"
_LOCK_SECONDS = 30
_UNKNOWN_BASE = "0" * 16


@dataclass(slots=True)
class InStep:
    """What was done: `read` into records, `written` into the file, `adopted` as new records.

    `taken_out` were deleted by hand, and are deferred; `unknown` items have no record; `notes` say
    what a person should look at. The path is None where a project has no such file.
    """

    path: Path | None = None
    read: list[Improvement] = field(default_factory=list)
    taken_out: list[Improvement] = field(default_factory=list)
    written: list[Improvement] = field(default_factory=list)
    adopted: list[Improvement] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def bring_in_step(
    kb: KnowledgeBase, folder: Path | None = None, *, make: bool = False, adopt: bool = False
) -> InStep:
    """Bring the file of the project around `folder` (the current one) and its records in step.

    With `make` a missing file is made if there is something for it, with `adopt` items without a
    record get one. Raises CalmError where the file cannot be read or a record not be written; what
    was committed before stands, and the next call goes on from there.
    """
    named = project_at(folder or kb.world.cwd, kb.world)
    project = Path(named)
    path = improvements_file(project)
    if not named or not (path.exists() or make) or not (kb.journal.is_dir() or adopt):
        return InStep()
    path = real(path, within=project)
    make_private_folder(kb.world.state)
    lock = FileLock(kb.world.state / "improvements.lock", timeout=_LOCK_SECONDS, mode=0o600)
    try:
        with lock:
            return _Run(ensure_kb(kb) if adopt else kb, project, path).all(adopt=adopt)
    except Timeout:
        raise CalmError(f"another process has held {lock.lock_file} too long; try again") from None


class _Run:
    """One going through of a file; `text` is what it is to hold, `there` the ids it names."""

    def __init__(self, kb: KnowledgeBase, project: Path, path: Path) -> None:
        self._kb, self._project, self._path = kb, project, path
        self._name = kb.project_at(project)
        self._before = read_text(path)
        self._text = self._before or IMPROVEMENTS
        self._done = InStep(path)
        self._every = {record.id: record for record in list_improvements(kb)}
        self._there: set[str] = set()

    def all(self, *, adopt: bool) -> InStep:
        """Settle the items of the file, then the records that are not in it; write it."""
        self._recognise(adopt=adopt)
        board = read_board(self._text, PLACE)
        self._there = set(board.named)
        for identity in dict.fromkeys(item.identity for item in board.items):
            if identity in self._every:
                self._settle(identity, [one for one in board.items if one.identity == identity])
        self._missing()
        self._write()
        return self._done

    def _recognise(self, *, adopt: bool) -> None:
        """Give items without a comment theirs: of the record they tell of, or of a new one."""
        board = read_board(self._text, PLACE)
        lines = self._text.split("\n")
        free = [
            one for one in self._every.values() if one.id not in board.named and self._is_own(one)
        ]
        for item in reversed(
            board.items
        ):  # from below, so that the lines above stay where they are
            if item.identity in self._every or not (item.state and item.title):
                continue
            same = next((one for one in free if not item.identity and _is_same(item, one)), None)
            if same:
                free.remove(same)
                self._text = put_mark(self._text, item, same.id, _UNKNOWN_BASE)
            elif adopt:
                self._adopt(item, lines)
            else:
                self._done.unknown.insert(0, item.title)

    def _adopt(self, item: Item, lines: list[str]) -> None:
        """Make a record of an item that a person wrote."""
        try:
            record = adopted(self._kb, item, lines, self._name)
        except CalmError as error:
            self._note(f"{item.title[:60]!r} cannot be kept: {error}")
            return
        store_improvement(self._kb, record)
        self._every[record.id] = record
        self._done.adopted.append(record)
        mark = words_of(record, one_line).mark
        self._text = put_mark(self._text, item, record.id, mark)

    def _settle(self, identity: str, items: list[Item]) -> None:
        """Bring one record and its item in step; of two items the one that a person changed."""
        if len(items) > 1:
            self._note(f"{items[0].title!r} stands {len(items)} times; delete all but one")
        record = self._every[identity]
        words = words_of(record, one_line)
        if len(items) == 1 and items[0].mark == words.mark and _is_in_step(items[0], words, record):
            return  # most are: nothing is asked of git for them
        changed = (one for one in items if said(one, record, one_line).mark != one.mark)
        item = next(changed, items[0])
        try:
            made, was_read, both = read_back(self._kb, identity, item, PLACE)
        except CalmError as error:
            self._note(str(error))
            return
        if was_read:
            self._done.read.append(made)
        if both:
            self._note(f"{made.id[:8]} was changed on both sides; the record keeps both")
        words = words_of(made, one_line)
        if said(item, made, one_line) != words:
            self._done.written.append(made)
        fresh = read_board(self._text, PLACE).find(identity, item.section)
        self._text = put_item(self._text, fresh, identity, words)

    def _missing(self) -> None:
        """Defer what was taken out of the file by hand; add what has not been in it yet.

        From a new file, or one on another branch than before, nothing has been taken out.
        """
        seen = seen_in(self._kb.world, self._path)
        block: list[str] = []
        trusted = bool(self._before) and seen.branch == branch_of(self._project)
        for record in sorted(self._every.values(), key=lambda one: (one.created_at, one.id)):
            if record.id in self._there or record.state != "pending" or not self._is_own(record):
                continue
            if trusted and record.id in seen.ids:
                made = defer(self._kb, record.id, f"Its item was taken out of {PLACE}.")
                self._done.taken_out.append(made)
            else:
                block += [*([""] if block else []), *entry(record, one_line)]
                self._there.add(record.id)
                self._done.written.append(record)
        if block:
            self._text = add_entry(self._text, SECTIONS["pending"], block)

    def _write(self) -> None:
        if self._text != (self._before or IMPROVEMENTS):
            if read_text(self._path) != self._before:
                raise CalmError(f"{self._path} was changed by another program just now; try again")
            write_atomically(self._path, self._text.encode())
        if self._path.exists():
            ids = frozenset(self._there & set(self._every))
            note_seen(self._kb.world, self._path, Seen(branch_of(self._project), ids))

    def _is_own(self, record: Improvement) -> bool:
        return record.project.casefold() == self._name.casefold()

    def _note(self, text: str) -> None:
        self._done.notes.append(f"{PLACE}: {text}")


def _is_in_step(item: Item, words: Words, record: Improvement) -> bool:
    """Tell whether an item says what its record does, and no tick waits to be taken out."""
    return not (item.ticked or item.ticks) and said(item, record, one_line) == words


def _is_same(item: Item, record: Improvement) -> bool:
    """Tell by its heading, or by its details, whether an item without a comment is a record's."""
    words = words_of(record, one_line)
    heading = (item.date, item.title) == (f"{record.created_at:%Y-%m-%d}", words.title)
    details = item.parts.get("details")
    return heading or (details is not None and details.value == words.details)
