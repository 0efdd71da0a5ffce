"""Plain strings looked for in the index's records, where full text finds none or is not there."""

import json

from calmkb.store.index_records import texts_of, unpack

_AROUND = 40


def pattern(word: str) -> str:
    """Return the LIKE pattern of a record that may hold `word`; `!` escapes."""
    packed = json.dumps(word)[1:-1]
    for special in "!%_":
        packed = packed.replace(special, f"!{special}")
    return f"%{packed}%"


def holds(kind: str, record: str, words: tuple[str, ...]) -> str | None:
    """Return the surroundings of the first of `words` if the record's texts hold all, or None."""
    text = " ".join("\n".join(texts_of(unpack(kind, json.loads(record)))).split())
    low = text.casefold()
    if not all(word.casefold() in low for word in words):
        return None
    at = max(0, low.find(words[0].casefold()) - _AROUND)
    end = at + 2 * _AROUND + len(words[0])
    return ("…" if at else "") + text[at:end] + ("…" if end < len(text) else "")
