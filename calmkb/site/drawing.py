"""Filters that draw: what a page knows as plain values becomes a picture where it stands.

A page of which there are many holds the numbers alone, so that it is drawn only when they changed.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, Any

from calmkb.site.pictures.activity import Tally, activity
from calmkb.site.pictures.before_after import before_after
from calmkb.site.pictures.history import history
from calmkb.site.pictures.multiples import small_multiples
from calmkb.site.pictures.spark import spark
from calmkb.site.pictures.theme_map import theme_map

if TYPE_CHECKING:
    from markupsafe import Markup


def _of_tallies(tallies: Iterable[tuple[date, int, int]]) -> str:
    return activity(Tally(*tally) for tally in tallies)


def _spark(counts: Sequence[int]) -> str:
    return spark(counts)


def _markup(function: Callable[..., str]) -> Callable[..., "Markup"]:
    """Mark a picture as safe: it is made of escaped words alone."""
    from markupsafe import Markup

    @wraps(function)
    def marked(*arguments: Any, **options: Any) -> Markup:
        return Markup(function(*arguments, **options))  # noqa: S704 - see pictures.frame.words

    return marked


def drawing_filters() -> dict[str, Callable[..., "Markup"]]:
    """Return the filters by name."""
    return {
        "activity": _markup(_of_tallies),
        "before_after": _markup(before_after),
        "history": _markup(history),
        "small_multiples": _markup(small_multiples),
        "spark": _markup(_spark),
        "theme_map": _markup(theme_map),
    }
