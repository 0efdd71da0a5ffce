"""Groups of signals that say the same thing, the most specific one first.

Similarity proposes and never decides alone: what says the opposite is kept apart, and commands are
the same only to the letter, for `npm run build` and `npm run test` are neighbours to any measure.
"""

import re
from collections.abc import Sequence

from calmkb.model import Signal
from calmkb.reflect.proposals.merging import agreeing
from calmkb.reflect.signals.known import plain_command
from calmkb.reflect.similarity.clusters import cluster
from calmkb.reflect.similarity.methods import TFIDF, Method

_RULES = ("correction", "convention", "pattern")
# How often it happened differs from session to session and is not what was learnt.
_COUNTS = re.compile(r"\b\d+ (?=times\b|searches\b)|\btwice\b", re.IGNORECASE)
_CONCRETE = re.compile(r"`[^`]+`|[\w.~-]*/[\w./-]+|\b\w+\.\w{1,5}\b|\b\w*\d\w*\b|--?\w[\w-]+")
_LONGEST = 400


def merged(
    signals: Sequence[Signal], theme: float, duplicate: float, method: Method = TFIDF
) -> list[list[int]]:
    """Return groups of row numbers that say one thing, each led by its most specific signal.

    What people say in their own words is one at `theme`; what tools reported, at `duplicate`.
    """
    rows = range(len(signals))
    groups = _same_commands(signals)
    rules = [row for row in rows if signals[row].type in _RULES]
    groups += _similar(signals, rules, theme, method)
    for kind in ("failure", "project_friction"):
        others = [row for row in rows if signals[row].type == kind]
        groups += _similar(signals, others, duplicate, method)
    return sorted(groups, key=min)


def _same_commands(signals: Sequence[Signal]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for row, signal in enumerate(signals):
        if signal.type == "command":
            groups.setdefault(plain_command(signal.content), []).append(row)
    return list(groups.values())


def _similar(
    signals: Sequence[Signal], rows: list[int], level: float, method: Method
) -> list[list[int]]:
    if not rows:
        return []
    texts = [_COUNTS.sub("", signals[row].content) for row in rows]
    groups: list[list[int]] = []
    for found in cluster(method.vectors(texts), level):
        # First the text that names most, then the one that tells most.
        named = {place: len(_CONCRETE.findall(texts[place])) for place in found}
        ranked = sorted(
            found, key=lambda one: (-named[one], -min(len(texts[one]), _LONGEST), rows[one])
        )
        groups += [[rows[place] for place in part] for part in agreeing(texts, ranked)]
    return groups
