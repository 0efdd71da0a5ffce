"""What a text costs its reader, estimated without a tokenizer."""

import math
import re

_PIECE = re.compile(r"[^\W\d_]+|\d+|_+|[^\w\s]|\n+|[ \t]{2,}")
_SHORT, _STEP = 7, 4.5  # a longer word is cut into pieces
_CJK = 0x2E80
_BEYOND_BMP = 0xFFFF


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a model reads `text` as.

    Counted by pieces: words (longer ones in parts), numbers, signs, line ends. Fitted to the
    tokenizer that the package anthropic 0.38 ships; `benchmarks/similarity/bench_tokens.py`
    measures the error (docs/figures.md has the figures), and newer models cut somewhat differently.
    """
    return math.ceil(sum(_cost(piece) for piece in _PIECE.findall(text)))


def without_comments(text: str) -> str:
    """Return `text` without HTML comments on lines of their own: markers cost the reader nothing.

    Claude Code takes them out before its model sees the file; for others they are a few tokens.
    """
    return re.sub(r"(?ms)^<!--.*?-->[ \t]*$\n?", "", text)


def _cost(piece: str) -> float:
    first = piece[0]
    if first.isalpha() and not piece.isascii():
        return sum(1.0 if ord(c) >= _CJK else 0.6 for c in piece)
    if first.isalpha():
        return 1.0 + max(0, len(piece) - _SHORT) / _STEP
    if first.isdigit():
        return 1.15 * math.ceil(len(piece) / 3)
    if first.isspace() or first == "_":
        return 1.0
    if first.isascii():
        return 0.82
    return 2.0 if ord(first) > _BEYOND_BMP else 1.4
