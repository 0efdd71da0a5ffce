"""What is reported of a reference that does not hold, and what is rather an example."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from calmkb.model.words import short_line
from calmkb.wings.proof.anchors.git_files import Removal, removal_of
from calmkb.wings.proof.anchors.references import Reference
from calmkb.wings.proof.anchors.tree import Tree
from calmkb.wings.proof.verbs.verify.moment import Moment

_PAST = re.compile(
    r"\b(?:remov|delet|renam|replac|dropp|deprecat|migrat|mov)ed\b|\bno longer\b|\bformerly\b"
    r"|\bused to\b|\bobsolete\b|\bnot exist\b",
    re.IGNORECASE,
)
_MADE_UP = re.compile(
    r"\be\.?g\b|\bexamples?\b|\bsuch as\b|\blike\b|\bcreat|\bnew\b|\badd|\bgenerat|\boutput"
    r"|\bwrit|\bwill\b|\bif\b|\bwould\b|\bcopy|\bnot\b|\bnever\b|\boptional",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that a text names and that is not so: its name, the rule, and words about it."""

    name: str
    rule: str
    message: str
    moved_to: str = ""


def is_past(line: str) -> bool:
    """Whether a line says itself that what it names is no more."""
    return bool(_PAST.search(line))


def is_surely_meant(tree: Tree, one: Reference, line: str, *, memory: bool = False) -> bool:
    """Whether something that never was there can hardly be meant as an example.

    A memory is of this project and one sentence long: of its path the first folder is enough.
    """
    if _MADE_UP.search(line) or "*" in one.value:
        return False
    if one.kind in ("link", "command"):
        return one.kind == "link" or one.tool == "make"
    path = PurePosixPath(one.value)
    # A folder with a dot is one that every repository may have: .github/x.yml.
    if one.kind != "path" or one.symbol or path.parts[0].startswith("."):
        return False
    folder = path.parts[0] if memory and len(path.parts) > 1 else path.parent.as_posix()
    return bool(path.suffix) and folder in tree.folders


def broken_path(now: Moment, one: Reference, path: str, written: str) -> Broken:
    """Return where a path that is not here any more went, or the commit that removed it."""
    removed = _followed(now, path)
    source = f"({removed.commit[:8]}: {_short(removed.subject)})" if removed else written
    if removed and removed.moved_to:
        message = f"`{one.value}` is now `{removed.moved_to}` {source}"
        return Broken(one.value, "moved-path", message, removed.moved_to)
    message = f"`{one.value}` is gone {source}; take it out, or name what took its place"
    return Broken(one.value, "gone-path", message)


def _followed(now: Moment, path: str) -> Removal | None:
    """Return how a path went away; where it moved more than once, its last place."""
    first = removed = removal_of(now.repository, path, now.head)
    for _ in range(5):
        if removed is None or not removed.moved_to:
            return first
        if now.tree.find(removed.moved_to) == removed.moved_to:
            return removed
        removed = removal_of(now.repository, removed.moved_to, now.head)
    return first


def _short(subject: str) -> str:
    return short_line("".join(c if c.isprintable() else " " for c in subject), 60)
