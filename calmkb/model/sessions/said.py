"""Who said a friction point and as what: a draft writes it here, every face reads it here.

The label before a quotation is for people. What it proves is in the entry's field `said`, which
nobody who writes a wrap-up can give.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from calmkb.model.sessions.entries import Entry, is_written

CORRECTED, RULE, REPORTED, REFUSED = "corrected", "rule given", "reported", "refused"
FOUND, FAILED, FIXED, WRITTEN = "found", "failed", "fixed", "written"
_PERSONS = (CORRECTED, RULE, REPORTED, REFUSED)
_LOGGED = (FAILED, FIXED)
_QUOTED = re.compile(
    r"(?P<kind>Corrected|Rule given|Reported|Found|[A-Z]\w{0,60}(?: call)? rejected): "
    r"[\"\u201c](?P<words>.*)[\"\u201d]\Z"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A friction point: its words without the label, and its kind where that is proved."""

    words: str
    kind: str
    quoted: bool

    @property
    def by_person(self) -> bool:
        """Whether it is proved to be a person's, whoever wrote the entry."""
        return self.kind in _PERSONS


def labelled(kind: str, quotation: str) -> str:
    """Return a quotation as the friction point of a draft."""
    return f"{kind.capitalize()}: {quotation}"


def kinds_kept(points: Sequence[str], before: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """Return the kinds of `points`, which somebody may have changed since they were `before`."""
    known = dict(zip(before, kinds, strict=False))
    return [known.get(point, WRITTEN) for point in points] if kinds else []


def said_in(entry: Entry) -> list[Said]:
    """Return the friction points of an entry.

    A draft made before the field was kept is known by its labels. Without one or the other, the
    label is a part of what the entry's author wrote.
    """
    return [_said(entry, place) for place in range(len(entry.friction_points))]


def _said(entry: Entry, place: int) -> Said:
    line = " ".join(entry.friction_points[place].split())
    found = _QUOTED.match(line)
    label = (
        (REFUSED if found["kind"].endswith("rejected") else found["kind"].lower()) if found else ""
    )
    if entry.said:
        kept = entry.said[place] if place < len(entry.said) else ""
        kind = kept if kept == label or (not label and kept in _LOGGED) else ""
    else:
        kind = "" if is_written(entry) else label
    return Said(found["words"] if found else line, kind, quoted=found is not None)
