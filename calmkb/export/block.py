"""The managed block: ours between two comments, the rest of the file the person's to the byte."""

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from calmkb.documents.sections import fences
from calmkb.errors import ExportError

_BEGIN = re.compile(r"^<!-- calmkb:begin v(\d+) sha256=([0-9a-f]{16})[^\n]*-->$")
_GAP = re.compile(r" gap=([02]) ")
_USUAL_GAP = 1
_OPEN = "fence=open "
"""On the first line of a block below a fence that nobody had closed: a later one closes it."""
_MARK = re.compile(r"^\ufeff?[ \t>]*<!--\s*calmkb:(begin|end)\b", re.IGNORECASE)
_QUOTED = re.compile(r"\ufeff?(?: {4}| {0,3}(?:\t|>))")
_INDENT = re.compile(r"\A {1,3}(?! )")
_FRONT = re.compile(r"\A---\r?\n(?:.*\r?\n)*?---\r?\n")
_BOM = "\ufeff"
_END = "<!-- calmkb:end -->"


class _Conflict(NamedTuple):
    """The lines of the three marks that git sets round the two sides."""

    start: int
    middle: int
    end: int


def replace_block(
    text: str, body: str, *, place: str, force: bool = False, front: str | None = None
) -> str:
    """Return `text` with its managed block holding `body`; without a block, one is added below.

    An empty `body` takes the block out. `front` is the front matter of a file that is ours: it
    comes before all else and is kept as the block is; None for a file of a person's. `place`
    names the file in errors. Raises ExportError where the block is broken, nested, in a merge
    conflict or, unless `force`, edited by hand; `force` resolves a conflict that is in our block.
    """
    bom = _BOM if text.startswith(_BOM) else ""
    text = _resolve_conflicts(text.removeprefix(_BOM)) if force else text.removeprefix(_BOM)
    if front is None:
        return bom + _replaced(text, body, place=place, force=force)
    if text.strip() and _find(text.split("\n"), place) is None:
        raise ExportError(
            f"{place} exists already and is not calmkb's; move it away, then export again"
        )
    found = _FRONT.match(text)
    old = found[0] if found else ""
    rest = _replaced(
        text[len(old) :], body, place=place, force=force, front=front, before=old.replace("\r", "")
    )
    return bom + front.replace("\n", _newline(text)) + rest if rest.strip() else ""


def taken_out(text: str, *, place: str) -> str:
    """Return `text` as it was before the block was added, to the byte where nobody wrote below it.

    Raises ExportError where the block is broken or was edited by hand.
    """
    lines = text.split("\n")
    span = _find(lines, place)
    if span is None:
        return text
    first, last = span
    front = _FRONT.match(text)
    _check_untouched(lines, first, last, place, front[0].replace("\r", "") if front else "")
    above = "".join(f"{line}\n" for line in lines[:first])
    below = "\n".join(lines[last + 1 :])
    if below.strip():
        return above + below.lstrip("\r\n")
    for _ in range(_gap_of(lines[first]) if above else 0):
        above = above.removesuffix("\n").removesuffix("\r")
    return above


def has_block(text: str) -> bool:
    """Return whether a line of `text` is one of our markers."""
    return bool(_marks(text.split("\n")))


def without_block(text: str) -> str:
    """Return the words of people in `text`: lines between our markers, and these, are empty."""
    lines = text.split("\n")
    marks, inside = dict(_marks(lines)), False
    for number, line in enumerate(lines):
        inside = marks.get(number, "begin" if inside else "end") == "begin"
        lines[number] = "" if inside or number in marks else line
    return "\n".join(lines)


def _marks(lines: list[str]) -> list[tuple[int, str]]:
    """Return the number and kind of each marker line, without those of whole examples.

    An example is quoted, indented as code or in a fence that is closed above our block or below it.
    """
    found = [(n, mark[1].lower()) for n, line in enumerate(lines) if (mark := _MARK.match(line))]
    fenced = [range(*one) for one in _fences(lines if found else [])]
    for places in (*fenced, [n for n, _ in found if _QUOTED.match(lines[n])]):
        kinds = [kind for n, kind in found if n in places and _OPEN not in lines[n]]
        if kinds.count("begin") == kinds.count("end"):
            found = [one for one in found if one[0] not in places]
    return found


def _fences(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each fence; three blanks may be before one."""
    return fences(_INDENT.sub("", line.rstrip("\r")) for line in lines)


def _newline(text: str) -> str:
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _replaced(
    text: str, body: str, *, place: str, force: bool, front: str = "", before: str = ""
) -> str:
    lines = text.split("\n")
    span = _find(lines, place)
    if span is None:
        return _appended(text, body, _newline(text), front) if body else text
    first, last = span
    # As the block has them: of a file with both kinds the majority changes with the block.
    newline = "\r\n" if lines[first].endswith("\r") else "\n"
    if not force:
        _check_untouched(lines, first, last, place, before)
    above, below = lines[:first], lines[last + 1 :]
    if not body:
        return "\n".join([*above, *below])
    opens = _OPEN in lines[first]
    block = _rendered(body, newline, front, gap=_gap_of(lines[first]), opens=opens).split("\n")
    # The end marker's line keeps whatever ended it before: nothing at the end of a file.
    block[-1] += "\r" if lines[last].endswith("\r") else ""
    return "\n".join([*above, *block, *below])


def _gap_of(line: str) -> int:
    """Return how many line ends were put before a block, by its first line."""
    found = _GAP.search(line)
    return int(found[1]) if found else _USUAL_GAP


def _rendered(body: str, newline: str, front: str, *, gap: int, opens: bool) -> str:
    """Return the block; where it was set off in an unusual way, its first line says so."""
    apart = ("" if gap == _USUAL_GAP else f"gap={gap} ") + _OPEN * opens
    note = f"{apart}made by `calmkb export`; change memories, not this block"
    begin = f"<!-- calmkb:begin v1 sha256={_digest(front + body)} {note} -->"
    return newline.join([begin, "", *body.split("\n"), "", _END])


def _digest(body: str) -> str:
    return hashlib.sha256(body.strip().encode()).hexdigest()[:16]


def _appended(text: str, body: str, newline: str, front: str) -> str:
    ended = len(re.findall(r"\r?\n(?=(?:\r?\n)?\Z)", text[-4:]))
    gap = 2 - ended if text else _USUAL_GAP
    before = text + newline * gap if text else ""
    opens = any(closed < 0 for _, closed in _fences(text.split("\n")))
    return before + _rendered(body, newline, front, gap=gap, opens=opens) + newline


def _find(lines: list[str], place: str) -> tuple[int, int] | None:
    """Return the first and last line of the block, or None; refuse all but one sound block."""
    marks = _marks(lines)
    if not marks:
        return None
    if conflicts := _conflicts(lines):
        raise ExportError(
            f"{place}:{conflicts[0].start + 1}: a merge conflict is not resolved; resolve it "
            "in your own text, and if it is in the calmkb block, run `calmkb export --force`"
        )
    kinds = [kind for _, kind in marks]
    if kinds != ["begin", "end"]:
        where = ", ".join(f"line {n + 1}: calmkb:{kind}" for n, kind in marks)
        raise ExportError(
            f"{place} holds a broken or doubled calmkb block ({where}); leave one begin "
            "and one end line, or delete these lines, then export again"
        )
    first, last = marks[0][0], marks[1][0]
    begin = _BEGIN.match(lines[first].rstrip("\r"))
    if not begin or lines[last].rstrip("\r") != _END or begin[1] != "1":
        raise ExportError(
            f"{place}:{first + 1}: the calmkb marker lines were changed; "
            "delete the block from begin to end, then export again"
        )
    return first, last


def _check_untouched(lines: list[str], first: int, last: int, place: str, front: str) -> None:
    begin = _BEGIN.match(lines[first].rstrip("\r"))
    body = "\n".join(line.rstrip("\r") for line in lines[first + 1 : last])
    if begin is None or begin[2] not in (_digest(front + body), _digest(front + body.strip())):
        raise ExportError(
            f"{place}:{first + 1}: the calmkb block was edited by hand; move your lines outside "
            "the block (or into a memory), then run `calmkb export --force`"
        )


def _resolve_conflicts(text: str) -> str:
    """Return `text` with one side left of each conflict that touches nothing but our block.

    Whichever it is: the block is written again. A conflict with a line of a person's stays.
    """
    lines = text.split("\n")
    kept, at, inside = list[str](), 0, False
    for start, middle, end in _conflicts(lines):
        kept += lines[at:start]
        inside = _inside(lines[at:start], inside)
        ours, theirs = lines[start + 1 : middle], lines[middle + 1 : end]
        ours = ours[: next((n for n, x in enumerate(ours) if x.startswith("|" * 7)), len(ours))]
        if _is_ours(ours, inside) and _is_ours(theirs, inside):
            side = ours if any(map(_MARK.match, ours)) else theirs
            kept += side
            inside = _inside(side, inside)
        else:
            kept += lines[start : end + 1]
        at = end + 1
    return "\n".join([*kept, *lines[at:]])


def _conflicts(lines: list[str]) -> list[_Conflict]:
    """Return the conflicts that git left; a heading underlined with `=======` is none."""
    found, start, middle = [], -1, -1
    for number, line in enumerate(lines):
        if line.startswith("<" * 7 + " "):
            start, middle = number, -1
        elif start >= 0 and middle < 0 and line.rstrip("\r") == "=" * 7:
            middle = number
        elif middle >= 0 and line.startswith(">" * 7 + " "):
            found.append(_Conflict(start, middle, number))
            start = middle = -1
    return found


def _inside(lines: list[str], inside: bool) -> bool:
    """Return whether the end of `lines` is inside our block, where their beginning is or is not."""
    marks = _marks(lines)
    return marks[-1][1] == "begin" if marks else inside


def _is_ours(side: list[str], inside: bool) -> bool:
    """Return whether no line of one side of a conflict is outside our block."""
    lines = [line for line in side if line.strip()]
    marks = _marks(lines)
    wanted = [] if inside or not lines else [(0, "begin")]
    return marks in (wanted, [*wanted, (len(lines) - 1, "end")])
