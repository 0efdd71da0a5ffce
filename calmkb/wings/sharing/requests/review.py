"""What reviewers said of a pull request of proposals: boxes that they unticked, and reasons.

Text from a git host is data: it can turn a proposal down and say why, and do nothing else.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from calmkb.model.words import short_line

LONGEST = 500  # characters of a reason
_BOX = re.compile(
    r"^[-*] \[(?P<mark>[ xX])\] (?P<number>\d{1,3})\. .*`(?P<id>[0-9a-f]{8})`[ \t\r]*$",
    re.MULTILINE,
)
_REASON = re.compile(
    r"^\s*(?:#?(?P<number>\d{1,3})|`?(?P<id>[0-9a-f]{8})`?)\s*[:.)]\s*(?P<why>\S.*)$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class HostReview:
    """What a request's boxes and comments say, by the beginnings of the memories' ids.

    `last` is the last comment that is about no single one.
    """

    unticked: frozenset[str] = frozenset()
    reasons: dict[str, str] = field(default_factory=dict)
    last: str = ""


def read_review(body: str, comments: Iterable[str]) -> HostReview:
    """Return what a request's text and the comments of its reviewers say, the oldest first.

    A comment line "2: why" or "4ea43f54: why" is the reason for one proposal; of the first box of
    each proposal its mark counts.
    """
    ids: dict[str, str] = {}
    unticked = set()
    for box in _BOX.finditer(body):
        if box["id"] not in ids.values():
            ids[box["number"]] = box["id"]
            unticked |= {box["id"]} if box["mark"] == " " else set()
    reasons, last = {}, ""
    for comment in comments:
        found = list(_REASON.finditer(comment))
        for one in found:
            if name := one["id"] or ids.get(one["number"], ""):
                reasons[name] = short_line(one["why"], LONGEST)
        if not found:
            last = short_line(comment, LONGEST) or last
    return HostReview(frozenset(unticked), reasons, last)
