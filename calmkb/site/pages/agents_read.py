"""The pages of what agents are told: the digest as the next session reads it, and why so."""

from collections.abc import Iterator
from typing import Any

from calmkb.model import Told
from calmkb.site.content.addresses import told_uri
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.page import Page

INDEX = "told.md"


def told_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield what agents of the knowledge base's own project are told, then those of the others."""
    every = catalogue.holdings.told
    if not every:
        yield Page(INDEX, "told", {"told": None, "of_another": False})
        return
    own = every[0].project
    targets = [(one.target, one.file, len(one.memories), one.tokens) for one in _of(every, own)]
    others = [one for one in every if one.project != own]
    listed = [(one.project, told_uri(one.project), len(one.memories), one.tokens) for one in others]
    yield Page(
        INDEX, "told", _values(catalogue, every[0], own) | {"targets": targets, "projects": listed}
    )
    for one in others:
        yield Page(told_uri(one.project), "told", _values(catalogue, one, own))


def _of(every: tuple[Told, ...], project: str) -> list[Told]:
    return [one for one in every if one.project == project]


def _values(catalogue: Catalogue, told: Told, own: str) -> dict[str, Any]:
    known = catalogue.memory_by_id
    left_out = [(known[one.memory], one) for one in told.left_out if one.memory in known]
    return {
        "told": told,
        "of_another": told.project != own,
        "memories": [(known[one.memory], one) for one in told.memories if one.memory in known],
        "crowded_out": [pair for pair in left_out if pair[1].crowded_out],
        "unfit": [pair for pair in left_out if not pair[1].crowded_out],
        "targets": (),
        "projects": (),
    }
