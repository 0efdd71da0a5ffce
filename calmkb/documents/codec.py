"""Records to text and back: `parse(render(x), path) == x`; a kind is one module and one line."""

import re
from typing import Any

from calmkb.documents.fields import Fields
from calmkb.documents.front_matter import FENCE, FrontMatterError, Plain, dumps, loads
from calmkb.documents.kinds import entries, improvements, marks, memories, reflections
from calmkb.documents.paths import FOLDERS, Kind, kind_of, kind_of_record
from calmkb.documents.sections import fenced
from calmkb.errors import RecordError
from calmkb.model import Record

_BLANK = re.compile(rf"\ufeff?\s+(?={FENCE}\r?\n[\w-]+:)")
"""What some editors put before front matter."""
_ORDER = tuple(re.compile(mark) for mark in (r"<{7}(?: |\Z)", r"={7}\Z", r">{7}(?: |\Z)"))

_MODULES: dict[Kind, Any] = {
    "session": entries,
    "memory": memories,
    "reflection": reflections,
    "improvement": improvements,
    "resumption": marks.RESUMPTION,
    "step": marks.FINISHED_STEP,
    "feedback": marks.FEEDBACK,
    "project": marks.PROJECT,
}

SIZE_LIMIT = 8 * 1024 * 1024
"""Bytes of a record's file: two lists of 50 items of 10,000 characters fit, a dump does not."""

FORMAT = 1
"""Raised only where an older calmkb would misread a record: docs/reference/records.md."""
_FORMAT_KEY = "calmkb"


class UnreadableError(RecordError):
    """A file that is no record; `path`, `line` (from 1) and `reason` say where and why."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.path, self.line, self.reason = path, line, reason


def render(record: Record) -> str:
    """Return the file that holds `record`."""
    front, body = _MODULES[kind_of_record(record)].render(record)
    numbered = {_FORMAT_KEY: Plain(str(FORMAT)), **front, **record.extra}
    return dumps(numbered, body)


def parse(text: str, path: str) -> Record:
    """Return the record in `text`; `path` (below the journal folder) tells its kind.

    Raises UnreadableError naming path, line and fix.
    """
    kind = kind_of(path)
    if kind is None:
        folders = ", ".join(f"{folder}/" for folder in FOLDERS.values())
        raise UnreadableError(
            path, 1, f"is not a valid record path; records are .md files in {folders}"
        )
    if len(text.encode(errors="replace")) > SIZE_LIMIT:
        raise UnreadableError(path, 1, f"is larger than {SIZE_LIMIT:,} bytes; cut it down")
    blank = _BLANK.match(text)
    if blank or text.startswith((f"{FENCE}\r\n", f"\ufeff{FENCE}")):
        text = text[blank.end() if blank else 0 :].removeprefix("\ufeff").replace("\r\n", "\n")
    if line := conflict_line(text):
        raise UnreadableError(
            path, line, "a merge conflict is not resolved; keep one side, delete the marker lines"
        )
    try:
        metadata, body = loads(text)
    except FrontMatterError as error:
        raise UnreadableError(path, error.line, str(error)) from error
    body_line = text[: len(text) - len(body)].count("\n") + 1
    try:
        fields = Fields(metadata)
        _check_format(fields.text(_FORMAT_KEY))
        record: Record = _MODULES[kind].parse(fields, body, path)
        return record
    except RecordError as error:
        raise UnreadableError(path, _line_of(error, text, body_line), str(error)) from error


def _check_format(written: str) -> None:
    """Refuse a record of a later format; one without a number is of format 1."""
    if not re.fullmatch(r"[0-9]{0,6}", written):
        raise RecordError(f"{_FORMAT_KEY} is {written!r}; write {FORMAT}, the format of the record")
    if written and int(written) > FORMAT:
        raise RecordError(
            f"{_FORMAT_KEY} is {written}: a later calmkb wrote it. This one reads formats up to "
            f"{FORMAT} and leaves the file as it is. Upgrade calmkb"
        )


def _line_of(error: RecordError, text: str, body_line: int) -> int:
    """Return the line of the key that the message begins with, else where the body starts."""
    key = str(error).split(" ", 1)[0].lower()
    for number, line in enumerate(text.split("\n")[:body_line], 1):
        if key and line.lower().startswith(f"{key}:"):
            return number
    return body_line


def conflict_line(text: str) -> int:
    """Return the line (from 1) at which a conflict begins, 0 where there is none.

    Its three markers stand in order at the start of lines; an example in a code block is none.
    """
    if "<<<<<<<" not in text or ">>>>>>>" not in text:
        return 0
    begin = step = 0
    lines = [line.rstrip("\r") for line in text.split("\n")]
    code = fenced(lines)
    for at, line in enumerate(lines):
        if at in code:
            continue
        if _ORDER[0].match(line):
            begin, step = at + 1, 1
        elif step and _ORDER[step].match(line):
            step += 1
            if step == len(_ORDER):
                return begin
    return 0
