"""The pages of what agents read: the digest as the next session gets it, and why it is so."""

from collections.abc import Iterator
from typing import Any

from calmkb.model import DigestPreview
from calmkb.site.content.addresses import digest_uri
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.page import Page

TITLE = "What agents read"


def agents_read_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the digest of the knowledge base's own project, then those of other projects."""
    digests = catalogue.source.digests
    own = digests[0].project if digests else ""
    others = [one for one in digests if one.project != own]
    values: dict[str, Any] = {"digest": None, "of_another": False}
    if digests:
        values = _values(catalogue, digests[0], own) | {
            "targets": [
                (one.target, one.file, len(one.memories), one.tokens)
                for one in digests
                if one.project == own
            ],
            "projects": [
                (one.project, digest_uri(one.project), len(one.memories), one.tokens)
                for one in others
            ],
        }
    yield Page("told.md", "told", values, title=TITLE, nav=TITLE)
    for one in others:
        title = f"{TITLE} in {one.project}"
        yield Page(digest_uri(one.project), "told", _values(catalogue, one, own), title=title)


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
    }
