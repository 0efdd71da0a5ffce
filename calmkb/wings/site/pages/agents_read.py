"""The pages of what agents read: the digest as the next session gets it, and why it is so."""

from collections.abc import Iterator
from typing import Any

from calmkb.model import DigestPreview
from calmkb.wings.site.content.addresses import digest_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import Page

TITLE = "What agents read"


def agents_read_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the digest of the knowledge base's own project, then those of other projects."""
    digests = catalogue.source.digests
    own = digests[0].project if digests else ""
    worked_in = {name.casefold() for name in catalogue.projects}
    others = sorted(
        (one for one in digests if one.project != own),
        key=lambda one: one.project.casefold() not in worked_in,
    )
    values: dict[str, Any] = {"digest": None, "of_another": False, "elsewhere_first": False}
    if digests:
        values = _values(catalogue, digests[0], own) | {
            "targets": [
                (one.target, one.file, len(one.memories), one.tokens)
                for one in digests
                if one.project == own
            ],
            "elsewhere_first": own.casefold() not in worked_in and bool(worked_in),
            "projects": [
                (one.project, digest_uri(one.project), len(one.memories), one.tokens)
                for one in others
            ],
        }
    yield Page("told.md", "told", values, title=TITLE, nav=TITLE)
    for one in others:
        title = f"{TITLE} in {one.project}"
        yield Page(digest_uri(one.project), "told", _values(catalogue, one, own), title=title)


def digest_uris(catalogue: Catalogue) -> dict[str, str]:
    """Return project, without regard to case -> the page of what agents read there."""
    digests = catalogue.source.digests
    own = digests[0].project if digests else ""
    return {
        one.project.casefold(): "told.md" if one.project == own else digest_uri(one.project)
        for one in digests
    }


def _values(catalogue: Catalogue, digest: DigestPreview, own: str) -> dict[str, Any]:
    known = catalogue.memory_by_id
    left_out = [(known[one.memory], one) for one in digest.left_out if one.memory in known]
    return {
        "digest": digest,
        "of_another": digest.project != own,
        "memories": [(known[one.memory], one) for one in digest.memories if one.memory in known],
        "crowded_out": [pair for pair in left_out if pair[1].crowded_out],
        "unfit": [pair for pair in left_out if not pair[1].crowded_out],
        "targets": (),
        "projects": (),
        "elsewhere_first": False,
    }
