"""What is asked of the turns, as expressions of the full text."""

from collections.abc import Iterable
from dataclasses import dataclass

from calmkb.wings.archive.turns.words import file_mark, mark, split_words


@dataclass(frozen=True, slots=True)
class Term:
    """Words that stand in a turn together; the last word of a `beginning` goes on.

    What was `quoted` has them one after the other, and so has `unspaced` text such as Chinese.
    """

    words: tuple[str, ...]
    quoted: bool = False
    unspaced: bool = False
    beginning: bool = False

    @property
    def expression(self) -> str:
        """The expression of the turns that hold all of the words, in any order."""
        return _all(self.words) + ("*" if self.beginning else "")


def term_of(text: str, *, quoted: bool = False, beginning: bool = False) -> Term | None:
    """Return a text as a term; None where it holds no word."""
    parts = tuple(split_words(text))
    words = tuple(part for part in parts if len(part) > 1) if text.isascii() else ()
    words = parts if quoted or not words else words  # of "isn't" not the "t"
    several = len(words) > 1
    unspaced = several and not text.isascii() and all(len(word) == 1 for word in words)
    return Term(words, quoted and several, unspaced, beginning) if words else None


def narrowed(who: str, tool: str, file: str, *, errors: bool) -> str:
    """Return the expression of the filters; "" where all are off."""
    parts = [
        mark("who", who) if who else "",
        mark("tool", tool) if tool else "",
        mark("error", "") if errors else "",
        _naming(file) if file else "",
    ]
    return " AND ".join(part for part in parts if part)


def _naming(file: str) -> str:
    words = split_words(file)
    return f"({file_mark(file)} OR ({_all(words)}))" if words else file_mark(file)


def _all(words: Iterable[str]) -> str:
    return " AND ".join(f'"{word}"' for word in words)
