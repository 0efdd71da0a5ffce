"""Filters that draw: what a page knows as plain values becomes a picture, or nothing.

A page of which there are many holds the numbers alone, so that it is drawn only when they changed.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, Any

from calmkb.wings.site.pictures.activity import Tally, activity
from calmkb.wings.site.pictures.periods import periods_of
from calmkb.wings.site.pictures.spark import spark

LEAST_STEPS = 3
"""Weeks, or longer steps, from which on a picture over time is drawn."""

if TYPE_CHECKING:
    from markupsafe import Markup


def is_long(days: Iterable[date]) -> bool:
    """Return whether there is a time to draw: two bars say no more than the number beside them."""
    days = list(days)
    return bool(days) and periods_of(days).count >= LEAST_STEPS


def _activity(tallies: Sequence[tuple[date, int, int]], until: date | None = None) -> str:
    days = [day for day, _, _ in tallies]
    long = bool(days) and is_long([*days, *([until] if until else [])])
    return activity((Tally(*tally) for tally in tallies), until=until) if long else ""


def _spark(counts: Sequence[int]) -> str:
    return spark(counts) if len(counts) >= LEAST_STEPS else ""


def _markup(function: Callable[..., str]) -> Callable[..., "Markup"]:
    """Mark a picture as safe: it is made of escaped words alone."""
    from markupsafe import Markup

    @wraps(function)
    def marked(*arguments: Any, **options: Any) -> Markup:
        return Markup(function(*arguments, **options))  # noqa: S704 - see pictures.frame.words

    return marked


def drawing_filters() -> dict[str, Callable[..., "Markup"]]:
    """Return the filters by name."""
    return {"activity": _markup(_activity), "spark": _markup(_spark)}
