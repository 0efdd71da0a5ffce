"""The managed block: ours between two comments, the rest of the file the person's to the byte."""

import hashlib
import re

from calmkb.errors import ExportError

_BEGIN = re.compile(r"^<!-- calmkb:begin v(\d+) sha256=([0-9a-f]{16})[^\n]*-->$")
_MARK = re.compile(r"^\ufeff?[ \t>]*<!--\s*calmkb:(begin|end)\b", re.IGNORECASE)
_NOTE = "made by `calmkb export`; change memories, not this block"
_END = "<!-- calmkb:end -->"


def replace_block(text: str, body: str, *, place: str, force: bool = False) -> str:
    """Return `text` with its managed block holding `body`; without a block, one is added below.

    An empty `body` takes the block out. `place` names the file in errors. Raises ExportError where
    the block is broken, nested or, unless `force`, edited by hand.
    """
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = text.split("\n")
    span = _find(lines, place)
    if span is None:
        return _appended(text, body, newline) if body else text
    first, last = span
    if not force:
        _check_untouched(lines, first, last, place)
    before, after = lines[:first], lines[last + 1 :]
    if not body:
        return "\n".join([*before, *after])
    block = _rendered(body, newline).split("\n")
    # The end marker's line keeps whatever ended it before: nothing at the end of a file.
    block[-1] += "\r" if lines[last].endswith("\r") else ""
    return "\n".join([*before, *block, *after])


def _rendered(body: str, newline: str) -> str:
    begin = f"<!-- calmkb:begin v1 sha256={_digest(body)} {_NOTE} -->"
    return newline.join([begin, "", *body.split("\n"), "", _END])


def _digest(body: str) -> str:
    return hashlib.sha256(body.strip().encode()).hexdigest()[:16]


def _appended(text: str, body: str, newline: str) -> str:
    if text in ("", "\ufeff"):
        return text + _rendered(body, newline) + newline
    gap = newline if text.endswith("\n") else newline * 2
    return text + gap + _rendered(body, newline) + newline


def _find(lines: list[str], place: str) -> tuple[int, int] | None:
    """Return the first and last line of the block, or None; refuse all but one sound block."""
    marks = [(n, found[1].lower()) for n, line in enumerate(lines) if (found := _MARK.match(line))]
    if not marks:
        return None
    kinds = [kind for _, kind in marks]
    if kinds != ["begin", "end"]:
        where = ", ".join(f"line {n + 1}: calmkb:{kind}" for n, kind in marks)
        raise ExportError(
            f"{place} holds a broken calmkb block ({where}); leave one begin and one end line, "
            "or delete these lines, then export again"
        )
    first, last = marks[0][0], marks[1][0]
    begin = _BEGIN.match(lines[first].rstrip("\r").removeprefix("\ufeff"))
    if not begin or lines[last].rstrip("\r") != _END or begin[1] != "1":
        raise ExportError(
            f"{place}:{first + 1}: the calmkb marker lines were changed; "
            "delete the block from begin to end, then export again"
        )
    return first, last


def _check_untouched(lines: list[str], first: int, last: int, place: str) -> None:
    begin = _BEGIN.match(lines[first].rstrip("\r").removeprefix("\ufeff"))
    body = "\n".join(line.rstrip("\r") for line in lines[first + 1 : last])
    if begin is None or begin[2] != _digest(body):
        raise ExportError(
            f"{place}:{first + 1}: the calmkb block was edited by hand; move your lines outside "
            "the block (or into a memory), then run `calmkb export --force`"
        )
