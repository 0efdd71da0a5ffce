"""A text as the numbers that BERT reads: WordPiece (Devlin et al. 2018), uncased English.

The library `tokenizers` gives the same numbers, and brings 40 MB with a client for a model hub.
"""

import gzip
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

UNKNOWN, START, END = 100, 101, 102
_LONGEST = 100
"""Characters of the longest word that is looked at."""
_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


def token_ids(text: str, most: int) -> list[int]:
    """Return the numbers of a text's pieces between those of its start and end, at most `most`."""
    words = unicodedata.normalize("NFD", text).translate(_READ_AS).split()
    pieces = (piece for word in words for piece in _pieces(word, _vocabulary()))
    return [START, *islice(pieces, most - 2), END]


def _pieces(word: str, vocabulary: dict[str, int]) -> Iterator[int]:
    """Yield the longest pieces that spell the word; one unknown where none do."""
    found: list[int] = []
    at, mark = 0, ""
    while at < len(word) <= _LONGEST:
        for end in range(len(word), at, -1):
            if (piece := vocabulary.get(mark + word[at:end])) is not None:
                break
        else:
            break
        found.append(piece)
        at, mark = end, "##"
    yield from found if at == len(word) else (UNKNOWN,)


class _ReadAs(dict[int, str]):
    """What each character is read as: lower case, no accents, marks of punctuation alone."""

    def __missing__(self, code: int) -> str:
        char = self[code] = _read_as(chr(code))
        return char


_READ_AS = _ReadAs()


def _read_as(char: str) -> str:
    kind = unicodedata.category(char)
    if char in "\t\n\r" or kind[0] == "Z":
        return " "
    if kind in ("Cc", "Cf", "Co", "Cs", "Mn") or char == "\N{REPLACEMENT CHARACTER}":
        return ""
    alone = kind[0] == "P" or char in "$+<=>^`|~" or any(a <= ord(char) <= b for a, b in _CJK)
    return f" {char} " if alone else char.lower()


@cache
def _vocabulary() -> dict[str, int]:
    lines = gzip.decompress(Path(__file__).with_name("vocabulary.txt.gz").read_bytes())
    return {piece: number for number, piece in enumerate(lines.decode().splitlines())}
