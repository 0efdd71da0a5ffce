"""Plain strings looked for in the index's records, where full text finds none or is not there."""

import json

from calmkb.store.index.records import texts_of, unpack

_AROUND = 40


def pattern(word: str) -> str:
    """Return the LIKE pattern of a record that may hold `word`; `!` escapes."""
    packed = json.dumps(word)[1:-1]
    for special in "!%_":
        packed = packed.replace(special, f"!{special}")
    return f"%{packed}%"


def holds(kind: str, record: str, words: tuple[str, ...]) -> str | None:
    """Return the surroundings of the first of `words` if the record's texts hold all, or None."""
    text = _text(kind, record)
    low = text.casefold()
    if not all(word.casefold() in low for word in words):
        return None
    return _around(text, low.find(words[0].casefold()), len(words[0]))


def surroundings(kind: str, record: str, words: tuple[str, ...]) -> str:
    """Return what is around the first place in the record's texts that holds any of `words`."""
    text = _text(kind, record)
    low = text.casefold()
    places = [(at, len(word)) for word in words if (at := low.find(word.casefold())) >= 0]
    return _around(text, *min(places, default=(0, 0)))


def _text(kind: str, record: str) -> str:
    return " ".join("\n".join(texts_of(unpack(kind, json.loads(record)))).split())


def _around(text: str, at: int, length: int) -> str:
    start, end = max(0, at - _AROUND), max(0, at - _AROUND) + 2 * _AROUND + length
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
