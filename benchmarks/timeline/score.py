"""What of a list of proposals is kept, and which later rules it held."""

import difflib
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from calmkb.reflect.similarity.methods import Method
from timeline.folder import Rule

SAME_TEXT = 0.85
"""Ratio of difflib from which a verdict on one wording holds for another."""
ABOUT_IT = 0.30
"""Cosine from which a proposal counts as a rule's, where nobody judged the two."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Verdicts on the first proposals of a list."""

    keep: int
    edit: int
    noise: int
    unlabelled: int

    @property
    def judged(self) -> int:
        """How many were judged."""
        return self.keep + self.edit + self.noise


def kept(texts: Sequence[str], verdicts: Mapping[str, str]) -> Kept:
    """Count the verdicts on these texts; each takes that of the nearly equal text."""
    counts = Counter(verdict_of(text, verdicts) for text in texts)
    return Kept(counts["keep"], counts["edit"], counts["noise"], counts[""])


def verdict_of(text: str, verdicts: Mapping[str, str]) -> str:
    """Return the verdict on the text that is nearly the same, else nothing."""
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
    return f"{hits} of {of} ({low:.2f} to {high:.2f})"


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
    rules: Sequence[Rule], texts: Sequence[str], method: Method
) -> list[list[tuple[float, str]]]:
    """Return for each rule the three texts most like it, with their cosines."""
    if not texts:
        return [[] for _ in rules]
    vectors = method.vectors([*(one.text for one in rules), *texts])
    cosines = vectors[: len(rules)] @ vectors[len(rules) :].T
    rows = cosines.toarray() if hasattr(cosines, "toarray") else cosines
    return [sorted(zip(map(float, row), texts, strict=True), reverse=True)[:3] for row in rows]


def is_proposed(
    rule: Rule, near: Sequence[tuple[float, str]], found: Mapping[tuple[str, str], str]
) -> bool:
    """Return whether one of the nearest proposals says the rule: as judged, else by similarity."""
    for cosine, text in near:
        verdict = found.get((rule.text, text), "")
        if verdict == "yes" or (not verdict and cosine >= ABOUT_IT):
            return True
    return False
