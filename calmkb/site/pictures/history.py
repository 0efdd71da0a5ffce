"""The picture of one thing that came up again and again: in how many sessions, over time."""

from collections import Counter
from collections.abc import Iterable
from datetime import date

from calmkb.model.words import counted
from calmkb.site.pictures.axes import bar_path, levels, moments
from calmkb.site.pictures.frame import WIDTH, Cell, Table, draw, number, text_width
from calmkb.site.pictures.periods import Periods, day_name, periods_of

_HEIGHT, _BASE, _BARS_HEIGHT = 166, 120.0, 96.0
_WIDEST_STEP = 44.0
_GUTTER = 12.0
_MARK = 7.0


def history(
    days: Iterable[date],
    *,
    approved: date | None = None,
    until: date | None = None,
    name: str = "",
) -> str:
    """Return bars of how many of `days` lie in each step of time, as raw HTML; "" for no day.

    By ISO week; over more than 60 weeks by month, over more than 120 months by year. A mark shows
    where a memory was `approved`; the time goes on `until` that day at least. `name` distinguishes
    two such pictures of a page.
    """
    days = list(days)
    if not days:
        return ""
    periods = periods_of([*days, *(day for day in (approved, until) if day)])
    counts = Counter(place for day in days if (place := periods.place(day)) >= 0)
    top = max(counts.values(), default=0) or 1
    ticks = levels(top, base=_BASE, height=_BARS_HEIGHT)
    left = _GUTTER + max(text_width(tick.name) for tick in ticks)
    pitch = min((WIDTH - left) / periods.count, _WIDEST_STEP)
    heights = [_BARS_HEIGHT * counts[place] / top for place in range(periods.count)]
    return draw(
        "history",
        name=name,
        caption=_caption(periods, len(days), approved),
        description=_description(periods, counts),
        height=_HEIGHT,
        base=_BASE,
        left=left,
        right=left + pitch * periods.count,
        ticks=ticks,
        bars=bar_path(heights, base=_BASE, left=left, pitch=pitch),
        mark=_mark(periods, approved, left, pitch),
        times=moments(periods, left=left, pitch=pitch),
        table=_table(periods, counts),
    )


def _mark(periods: Periods, approved: date | None, left: float, pitch: float) -> str:
    """Return the outline of a triangle on a line, above where a memory was approved."""
    if approved is None or (place := periods.place(approved)) < 0:
        return ""
    x = left + pitch * (place + 0.5)
    sides = f"M{number(x - _MARK)} 4H{number(x + _MARK)}L{number(x)} {number(4 + _MARK * 1.5)}Z"
    return f"{sides}M{number(x)} 4V{number(_BASE)}"


def _caption(periods: Periods, number: int, approved: date | None) -> str:
    caption = f"{counted(number, 'session')} by {periods.unit}"
    return f"{caption}; \u25be {day_name(approved)}: a memory was approved" if approved else caption


def _description(periods: Periods, counts: Counter[int]) -> str:
    place, most = max(sorted(counts.items()), key=lambda item: item[1], default=(0, 0))
    week = "the week of " if periods.unit == "week" else ""
    return f"Bars: sessions a {periods.unit}, most in {week}{periods.name(place)}: {most:,}."


def _table(periods: Periods, counts: Counter[int]) -> Table:
    first = "Week from" if periods.unit == "week" else periods.unit.capitalize()
    return Table(
        (Cell(first), Cell("Sessions", number=True)),
        tuple(
            (Cell(periods.name(place)), Cell(f"{number:,}", number=True))
            for place, number in sorted(counts.items())
        ),
    )
