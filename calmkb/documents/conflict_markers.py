"""Merge conflicts that git left in a record: nobody has decided which side is true."""

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ORDER = tuple(re.compile(mark) for mark in (r"<{7}(?: |\Z)", r"={7}\Z", r">{7}(?: |\Z)"))


def conflict_line(text: str) -> int:
    """Return the line (from 1) at which a conflict begins, 0 where there is none.

    Its three markers stand in order at the start of lines; an example in a code block is none.
    """
    if "<<<<<<<" not in text or ">>>>>>>" not in text:
        return 0
    begin = step = 0
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        fence = _fence_after(fence, line)
        if fence:
            continue
        line = line.rstrip("\r")
        if _ORDER[0].match(line):
            begin, step = number, 1
        elif step and _ORDER[step].match(line):
            step += 1
            if step == len(_ORDER):
                return begin
    return 0


def _fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after `line`, given the one that was open before it."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line[found.end() :].strip()
    return "" if closes else fence
