"""What a way to tell how alike short texts are must offer; the table of them stands above."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

Embed = Callable[[Sequence[str]], list[list[float]]]
"""From texts to one vector of length 1 for each."""


View = tuple[tuple[Any, float], ...]
"""A look at texts: sparse matrices, a row of length 1 or 0 a text, each with its share of 1.

The cosine of two texts is the sum of those of the matrices, each by its share.
"""


class Method(Protocol):
    """A measure of alikeness with the thresholds that belong to it: cosines, 0 to 1.

    Another method's thresholds mean nothing here: the same pair is nearer to one than to another.
    """

    @property
    def name(self) -> str:
        """The name that `[reflect] method` gives."""

    @property
    def duplicate(self) -> float:
        """Two texts this alike say the same, unless they are opposites."""

    @property
    def theme(self) -> float:
        """Texts this alike on average are about one thing."""

    @property
    def agreement(self) -> float:
        """The share of votes that brings texts into one community (see `communities`)."""

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix, one row of length 1 a text, zeros for a text without words."""

    def views(self, texts: Sequence[str]) -> list[View]:
        """Return several looks at the texts, for communities to vote."""
