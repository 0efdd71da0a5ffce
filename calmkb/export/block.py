"""The managed block: ours between two comments, the rest of the file the person's to the byte."""

import hashlib
import re

from calmkb.errors import ExportError

_BEGIN = re.compile(r"^<!-- calmkb:begin v(\d+) sha256=([0-9a-f]{16})[^\n]*-->$")
_MARK = re.compile(r"^\ufeff?[ \t>]*<!--\s*calmkb:(begin|end)\b", re.IGNORECASE)
_CONFLICT = re.compile(r"^(?:<{7} |={7}\r?$|>{7} |\|{7} )")
_FRONT = re.compile(r"\A\ufeff?---\r?\n(?:.*\r?\n)*?---\r?\n")
_NOTE = "made by `calmkb export`; change memories, not this block"
_END = "<!-- calmkb:end -->"


def replace_block(
    text: str, body: str, *, place: str, force: bool = False, front: str | None = None
) -> str:
    """Return `text` with its managed block holding `body`; without a block, one is added below.

    An empty `body` takes the block out. `front` is the front matter of a file that is ours: it
    stands before all else and is kept as the block is; None for a file of a person's. `place`
    names the file in errors. Raises ExportError where the block is broken, nested, in a merge
    conflict or, unless `force`, edited by hand; `force` settles a conflict that is in our block.
    """
    if force:
        text = _settled(text)
    if front is None:
        return _replaced(text, body, place=place, force=force, front="")
    found = _FRONT.match(text)
    if not found and text.strip("\ufeff \t\r\n") and _find(text.split("\n"), place) is None:
        raise ExportError(
            f"{place} stands already and is not calmkb's; move it away, then export again"
        )
    old = found[0] if found else ""
    after = _replaced(
        text[len(old) :], body, place=place, force=force, front=front, before=old.replace("\r", "")
    )
    return (front.replace("\n", _newline(text)) + after) if after.strip() else ""


def has_block(text: str) -> bool:
    """Tell whether a line of `text` is one of our markers."""
    return any(_MARK.match(line) for line in text.split("\n"))


def without_block(text: str) -> str:
    """Return `text` without what stands between our markers: the words of people."""
    kept, inside = [], False
    for line in text.split("\n"):
        if found := _MARK.match(line):
            inside = found[1].lower() == "begin"
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def _newline(text: str) -> str:
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _replaced(
    text: str, body: str, *, place: str, force: bool, front: str, before: str = ""
) -> str:
    newline = _newline(text)
    lines = text.split("\n")
    span = _find(lines, place)
    if span is None:
        return _appended(text, body, newline, front) if body else text
    first, last = span
    if not force:
        _check_untouched(lines, first, last, place, before)
    above, below = lines[:first], lines[last + 1 :]
    if not body:
        return "\n".join([*above, *below])
    block = _rendered(body, newline, front).split("\n")
    # The end marker's line keeps whatever ended it before: nothing at the end of a file.
    block[-1] += "\r" if lines[last].endswith("\r") else ""
    return "\n".join([*above, *block, *below])


def _rendered(body: str, newline: str, front: str) -> str:
    begin = f"<!-- calmkb:begin v1 sha256={_digest(front + body)} {_NOTE} -->"
    return newline.join([begin, "", *body.split("\n"), "", _END])


def _digest(body: str) -> str:
    return hashlib.sha256(body.strip().encode()).hexdigest()[:16]


def _appended(text: str, body: str, newline: str, front: str) -> str:
    if text in ("", "\ufeff"):
        return text + _rendered(body, newline, front) + newline
    gap = newline if text.endswith("\n") else newline * 2
    return text + gap + _rendered(body, newline, front) + newline


def _find(lines: list[str], place: str) -> tuple[int, int] | None:
    """Return the first and last line of the block, or None; refuse all but one sound block."""
    conflict = next((n for n, line in enumerate(lines) if _CONFLICT.match(line)), None)
    if conflict is not None and any(_MARK.match(line) for line in lines):
        raise ExportError(
            f"{place}:{conflict + 1}: a merge conflict is not resolved; resolve it in your own "
            "text, and if it is in the calmkb block, run `calmkb export --force`"
        )
    marks = [(n, found[1].lower()) for n, line in enumerate(lines) if (found := _MARK.match(line))]
    if not marks:
        return None
    kinds = [kind for _, kind in marks]
    if kinds != ["begin", "end"]:
        where = ", ".join(f"line {n + 1}: calmkb:{kind}" for n, kind in marks)
        raise ExportError(
            f"{place} holds a broken or doubled calmkb block ({where}); leave one begin "
            "and one end line, or delete these lines, then export again"
        )
    first, last = marks[0][0], marks[1][0]
    begin = _BEGIN.match(lines[first].rstrip("\r").removeprefix("\ufeff"))
    if not begin or lines[last].rstrip("\r") != _END or begin[1] != "1":
        raise ExportError(
            f"{place}:{first + 1}: the calmkb marker lines were changed; "
            "delete the block from begin to end, then export again"
        )
    return first, last


def _check_untouched(lines: list[str], first: int, last: int, place: str, front: str) -> None:
    begin = _BEGIN.match(lines[first].rstrip("\r").removeprefix("\ufeff"))
    body = "\n".join(line.rstrip("\r") for line in lines[first + 1 : last])
    if begin is None or begin[2] not in (_digest(front + body), _digest(front + body.strip())):
        raise ExportError(
            f"{place}:{first + 1}: the calmkb block was edited by hand; move your lines outside "
            "the block (or into a memory), then run `calmkb export --force`"
        )


def _settled(text: str) -> str:
    """Return `text` with one side left of each conflict that touches nothing but our block.

    Whichever it is: the block is written anew. A conflict with a line of a person's stays.
    """
    lines, kept, at = text.split("\n"), list[str](), 0
    while at < len(lines):
        end = _end_of_conflict(lines, at)
        if end is None:
            kept.append(lines[at])
            at += 1
            continue
        middle = next(n for n in range(at, end) if lines[n].startswith("=" * 7))
        ours, theirs = lines[at + 1 : middle], lines[middle + 1 : end]
        ours = ours[: next((n for n, x in enumerate(ours) if x.startswith("|" * 7)), len(ours))]
        inside = sum(1 if m[1].lower() == "begin" else -1 for x in kept if (m := _MARK.match(x)))
        alone = _is_ours(ours, inside > 0) and _is_ours(theirs, inside > 0)
        kept += ours if alone else lines[at : end + 1]
        at = end + 1
    return "\n".join(kept)


def _end_of_conflict(lines: list[str], at: int) -> int | None:
    if not lines[at].startswith("<" * 7 + " "):
        return None
    middle = False
    for number in range(at + 1, len(lines)):
        middle = middle or lines[number].rstrip("\r") == "=" * 7
        if lines[number].startswith(">" * 7 + " "):
            return number if middle else None
    return None


def _is_ours(side: list[str], inside: bool) -> bool:
    """Tell whether no line of one side of a conflict stands outside our block."""
    lines = [line for line in side if line.strip()]
    marks = [(n, found[1].lower()) for n, x in enumerate(lines) if (found := _MARK.match(x))]
    wanted = [] if inside else [(0, "begin")]
    return marks in (wanted, [*wanted, (len(lines) - 1, "end")])
