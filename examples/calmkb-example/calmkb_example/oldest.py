"""A page of the site: the memories that have stood longest."""

from collections.abc import Iterator

from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import Page

_SHOWN = 20


def pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the page, where there is a memory; it is rendered in every build."""
    memories = sorted(catalogue.source.memories, key=lambda one: one.created_at)[:_SHOWN]
    if memories:
        yield Page("oldest.md", "calmkb_example:oldest", {"memories": memories},
                   shows_all=True, title="Oldest memories", nav="Oldest")  # fmt: skip
