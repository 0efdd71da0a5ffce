"""What of a list of proposals is kept, and which later rules it held."""

import difflib
import math
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from calmkb.reflect.similarity.methods import Method
from timeline.folder import Rule

Name = TypeVar("Name", bound=Hashable)
SAME_TEXT = 0.85
"""Ratio of difflib from which a verdict on one wording holds for another."""
ABOUT_IT = 0.30
"""Cosine from which a proposal counts as a rule's, where nobody judged the two."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Verdicts on the first proposals of a list."""

    keep: int = 0
    edit: int = 0
    noise: int = 0
    unlabelled: int = 0

    def __add__(self, other: "Kept") -> "Kept":
        return Kept(
            self.keep + other.keep,
            self.edit + other.edit,
            self.noise + other.noise,
            self.unlabelled + other.unlabelled,
        )

    @property
    def judged(self) -> int:
        """How many were judged."""
        return self.keep + self.edit + self.noise


def kept(texts: Sequence[str], verdicts: Mapping[str, str]) -> Kept:
    """Count the verdicts on these texts; each takes that of the nearly equal text."""
    counts = Counter(verdict_of(text, verdicts) for text in texts)
    return Kept(counts["keep"], counts["edit"], counts["noise"], counts[""])


def verdict_of(text: str, verdicts: Mapping[str, str]) -> str:
    """Return the verdict on the text, else on one that is nearly the same, else nothing."""
    if text in verdicts:
        return verdicts[text]
    near = difflib.get_close_matches(text, verdicts, n=1, cutoff=SAME_TEXT)
    return verdicts[near[0]] if near else ""


def share(hits: int, of: int) -> str:
    """Return a share with its 95 % interval (Wilson 1927)."""
    if not of:
        return "none"
    z, part = 1.96, hits / of
    middle = part + z * z / (2 * of)
    spread = z * math.sqrt(part * (1 - part) / of + z * z / (4 * of * of))
    low, high = ((middle + sign * spread) / (1 + z * z / of) for sign in (-1, 1))
    return f"{hits} of {of} ({max(low, 0):.2f} to {high:.2f})"


def supported(rules: Sequence[Rule], sessions: Collection[str], *, before: bool) -> list[Rule]:
    """Return the rules that one of these sessions says or meets.

    With `before`, only on a day before people wrote the rule down.
    """
    return [
        one
        for one in rules
        if any(name in sessions and (day < one.day or not before) for day, name in one.seen)
    ]


def nearest(
    rule: Rule, lists: Mapping[Name, Sequence[str]], method: Method
) -> dict[Name, list[tuple[float, str]]]:
    """Return the three texts of each list that are most like the rule, with their cosines.

    Cosines of all lists are of one fit of the method, so that no list has weights of its own.
    """
    texts = list(dict.fromkeys(text for some in lists.values() for text in some))
    rows = method.vectors([rule.text, *texts])
    cosines = dict(zip(texts, (rows[1:] @ rows[0].T).toarray().ravel().tolist(), strict=True))
    return {
        name: sorted(((cosines[text], text) for text in some), reverse=True)[:3]
        for name, some in lists.items()
    }


def is_near(near: Sequence[tuple[float, str]]) -> bool:
    """Return whether the nearest text is about the rule, by similarity."""
    return bool(near) and near[0][0] >= ABOUT_IT


def is_proposed(
    rule: Rule, near: Sequence[tuple[float, str]], found: Mapping[tuple[str, str], str]
) -> bool:
    """Return whether one of the nearest proposals says the rule: as judged, else by similarity."""
    for cosine, text in near:
        verdict = found.get((rule.text, text), "")
        if verdict == "yes" or (not verdict and cosine >= ABOUT_IT):
            return True
    return False
