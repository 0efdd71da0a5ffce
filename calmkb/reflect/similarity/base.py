"""What a similarity method offers; `methods` lists those there are."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Embed = Callable[[Sequence[str]], list[list[float]]]
"""From texts to one vector of length 1 for each."""

View = tuple[tuple[Any, float], ...]
"""A view of texts: sparse matrices, a row of length 1 or 0 a text, each with its share of 1.

The cosine of two texts is the sum of those of the matrices, each by its share.
"""


@dataclass(frozen=True, slots=True)
class Method:
    """A measure of similarity and the thresholds that belong to it: cosines, 0 to 1.

    Another method's thresholds mean nothing here: the same pair is nearer to one than to another.
    Texts at `duplicate` say the same, unless they are opposites; texts at `theme` on average are
    about one thing; `agreement` is the share of votes that brings texts into one community.
    """

    name: str
    duplicate: float
    theme: float
    agreement: float

    @abstractmethod
    def vectors(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix, one row of length 1 a text, zeros for a text without words."""

    @abstractmethod
    def views(self, texts: Sequence[str]) -> list[View]:
        """Return several views of the texts, for communities to vote."""
