"""The part of a long text that a question is about."""

import re

_WORD = re.compile(r"\w{3,}")
_STEM = 5  # characters that a word and its inflected forms share


def excerpt(text: str, query: str, size: int) -> str:
    """Return about `size` characters of whole lines of `text` that hold most words of `query`."""
    if len(text) <= size:
        return text
    wanted = {word[:_STEM] for word in _WORD.findall(query.casefold())}
    lines = text.split("\n")
    held = [{word[:_STEM] for word in _WORD.findall(line.casefold())} & wanted for line in lines]
    best, most = 0, -1.0
    for start in range(len(lines)):
        end = _end(lines, start, size)
        found = set().union(*held[start:end])
        score = len(found) + 0.01 * sum(map(len, held[start:end])) + 0.1 * bool(held[start])
        if score > most:
            best, most = start, score
    end = _end(lines, best, size)
    cut = "\n".join(lines[best:end])
    cut = cut if len(cut) <= 2 * size else _around(cut, wanted, size)
    return ("…\n" if best else "") + cut + ("\n…" if end < len(lines) else "")


def _end(lines: list[str], start: int, size: int) -> int:
    length, end = 0, start
    while end < len(lines) and (end == start or length + len(lines[end]) <= size):
        length += len(lines[end]) + 1
        end += 1
    return end


def _around(line: str, wanted: set[str], size: int) -> str:
    """Return the part of one long line around the first word that is wanted."""
    low = line.casefold()
    places = [place for word in wanted if (place := low.find(word)) >= 0]
    start = max(0, min(places, default=0) - size // 4)
    return ("…" if start else "") + line[start : start + size] + "…"
