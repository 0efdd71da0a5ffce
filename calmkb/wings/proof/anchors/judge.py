"""Whether what a text refers to is there: held or missing in one state of the repository."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal

from calmkb.wings.proof.anchors.anchor import Anchor, part_of
from calmkb.wings.proof.anchors.references import Reference
from calmkb.wings.proof.anchors.settings import keys_ending, settings_in
from calmkb.wings.proof.anchors.tree import Tree

State = Literal["held", "missing", "unknown"]


def judge(asked: Iterable[Reference], tree: Tree, folder: str = "") -> dict[Reference, State]:
    """Return the state of each reference of a text that lies in `folder`.

    `unknown`: nothing of the kind is declared here, so that the repository cannot say.
    """
    every = list(asked)
    names = {one.value for one in every if one.kind == "name"}
    standing = tree.source.words(names) if names else set()
    return {one: _state(one, tree, folder, standing) for one in every}


def _state(one: Reference, tree: Tree, folder: str, standing: set[str]) -> State:
    if one.kind == "name":
        return "held" if one.value in standing else "missing"
    if one.kind == "command":
        targets = tree.targets.get(one.tool)
        if targets is None:
            return "unknown"
        return "held" if any(fnmatchcase(one.value, known) for known in targets) else "missing"
    if one.symbol and "*" in one.value:  # any of the files may define it
        found = any(holds(tree, path, one.symbol) for path in tree.matching(one.value))
        return "held" if found else "missing"
    path = tree.find(one.value, folder)
    if path is None:
        return "missing"
    return "held" if not one.symbol or holds(tree, path, one.symbol) else "missing"


def holds(tree: Tree, path: str, symbol: str) -> bool:
    """Return whether a file defines a symbol; where its language is not known, has the word."""
    text = tree.source.read([path]).get(path, "")
    if (settings := settings_in(path, text)) is not None:
        return bool(keys_ending(settings, symbol))
    return part_of(Anchor(f"{path}:{symbol}", path, ""), text) is not None
