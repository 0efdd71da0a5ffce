"""What is asked of the turns, as expressions of the full text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from calmkb.model.sessions.kept import MomentsWanted
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


def narrowed(asked: MomentsWanted) -> Iterator[str]:
    """Yield an expression for each filter that is on."""
    if asked.who:
        yield mark("who", asked.who)
    if asked.tool:
        yield mark("tool", asked.tool)
    if asked.errors:
        yield mark("error", "")
    if asked.file:
        named, words = file_mark(asked.file), split_words(asked.file)
        yield f"({named} OR ({_all(words)}))" if words else named


def _all(words: Iterable[str]) -> str:
    return " AND ".join(f'"{word}"' for word in words)
