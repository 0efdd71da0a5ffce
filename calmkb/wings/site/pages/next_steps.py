"""The page of what sessions left to do, and of what became of it."""

from collections.abc import Iterator
from typing import Any

from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.pages.to_do import NEXT

SHOWN = 100
DONE_SHOWN = 20


def next_step_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the page of the open next steps: those of the last seven days, older ones, the done."""
    fresh, shown = catalogue.fresh_steps, {step.id for step in catalogue.fresh_steps}
    older = [step for step in catalogue.open_steps if step.id not in shown]
    done = sorted(
        (step for step in catalogue.source.steps if step.done_at),
        key=lambda step: (step.done_at, step.id),
        reverse=True,
    )[:DONE_SHOWN]
    values: dict[str, Any] = {
        "fresh": fresh[:SHOWN],
        "older": older[:SHOWN],
        "left_out": max(0, len(fresh) - SHOWN) + max(0, len(older) - SHOWN),
        "numbers": (len(fresh), len(older)),
        "today": catalogue.today,
        "done": done,
        "names": {step.done_by: catalogue.names.get(step.done_by, "") for step in done},
    }
    yield Page(NEXT, "next", values, title="Next steps")
