"""The pages of what sessions left to do, and of what became of it."""

from collections.abc import Iterator
from typing import Any

from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import Page, leaves
from calmkb.wings.site.pages.to_do import NEXT

A_PAGE = 50
DONE_SHOWN = 20


def next_step_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the open next steps, the oldest first; the first page also has the newest done."""
    listed = catalogue.open_steps
    done = sorted(
        (step for step in catalogue.source.steps if step.done_at),
        key=lambda step: (step.done_at, step.id),
        reverse=True,
    )
    for uri, leaf, some in leaves(NEXT, listed, A_PAGE):
        values: dict[str, Any] = {
            "steps": list(some),
            "number": len(listed),
            "leaf": leaf,
            "today": catalogue.today,
            "done": () if leaf.earlier else done[:DONE_SHOWN],
        }
        values["names"] = {s.done_by: catalogue.names.get(s.done_by, "") for s in values["done"]}
        yield Page(uri, "next", values, title="Next steps")
