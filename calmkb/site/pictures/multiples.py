"""The picture of themes by week: a row of bars each, all to one scale."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from calmkb.site.pictures.axes import Moment, bar_path
from calmkb.site.pictures.frame import Cell, Table, draw, inward, number, text_width
from calmkb.site.pictures.periods import Periods, day_name, periods_of
from calmkb.site.text.sanitize import headline

MOST_ROWS = 12
_STATEMENT = 110
_ROW_WIDTH, _ROW_HEIGHT = 300, 32
_BASE, _HEIGHT = 30.5, 22.0
_WIDEST_STEP = 36.0
_LEAST = 1.5
_MARK = 4.0
_SMALL_TEXT = 15.0


@dataclass(frozen=True, slots=True)
class ThemeDays:
    """A theme: the day of each session it came up in, and of the approval of its memory, if any.

    `href` leads from the page to the theme; one that would leave the site is left out.
    """

    statement: str
    days: tuple[date, ...]
    href: str = ""
    approved: date | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    statement: str
    href: str
    total: int
    bars: str
    mark: str


def small_multiples(
    themes: Sequence[ThemeDays], *, days: Iterable[date] = (), name: str = ""
) -> str:
    """Return the first 12 themes in the order given, as raw HTML; "" without any.

    By ISO week; over more than 60 weeks by month, over more than 120 months by year. `days` are
    such that the time shall cover too, as those of the first and the last session of all. `name`
    distinguishes two such pictures of a page.
    """
    themes = [theme for theme in themes if theme.days][:MOST_ROWS]
    if not themes:
        return ""
    approvals = [theme.approved for theme in themes if theme.approved]
    periods = periods_of([*days, *approvals, *(day for theme in themes for day in theme.days)])
    counts = [_counts(periods, theme) for theme in themes]
    top = max((max(count.values(), default=0) for count in counts), default=0) or 1
    pitch = min(_ROW_WIDTH / periods.count, _WIDEST_STEP)
    return draw(
        "multiples",
        name=name,
        caption=_caption(periods, top, bool(approvals)),
        rows=[_row(*pair, periods, top) for pair in zip(themes, counts, strict=True)],
        row_width=_ROW_WIDTH,
        row_height=_ROW_HEIGHT,
        base=_BASE,
        end=pitch * periods.count,
        times=_times(periods, pitch * periods.count),
        table=_table(periods, themes, counts),
    )


def _counts(periods: Periods, theme: ThemeDays) -> Counter[int]:
    places = sorted(periods.place(day) for day in theme.days)
    return Counter(place for place in places if place >= 0)


def _row(theme: ThemeDays, counts: Counter[int], periods: Periods, top: int) -> _Row:
    pitch = min(_ROW_WIDTH / periods.count, _WIDEST_STEP)
    heights = [
        max(_LEAST, _HEIGHT * counts[place] / top) if counts[place] else 0.0
        for place in range(periods.count)
    ]
    mark = ""
    if theme.approved and (place := periods.place(theme.approved)) >= 0:
        x = pitch * (place + 0.5)
        sides = f"M{number(x - _MARK)} 0H{number(x + _MARK)}L{number(x)} {number(_MARK * 1.5)}Z"
        mark = f"{sides}M{number(x)} 0V{number(_BASE)}"
    return _Row(
        headline(theme.statement, _STATEMENT),
        inward(theme.href),
        len(theme.days),
        bar_path(heights, base=_BASE, left=0, pitch=pitch),
        mark,
    )


def _times(periods: Periods, end: float) -> list[Moment]:
    """Return the first and the last step's names, one behind the other where they would meet."""
    first, last = periods.name(0), periods.name(periods.count - 1)
    if periods.count == 1:
        return [Moment(0, first, "start")]
    if text_width(f"{first} {last}", _SMALL_TEXT) > end:
        return [Moment(0, f"{first} to {last}", "start")]
    return [Moment(0, first, "start"), Moment(end, last, "end")]


def _caption(periods: Periods, top: int, marked: bool) -> str:
    caption = f"Sessions in which each theme came up, by {periods.unit} and in all"
    caption += f"; the tallest bar is {top:,}."
    return caption + (" \u25be: a memory was approved." if marked else "")


def _table(periods: Periods, themes: Sequence[ThemeDays], counts: Sequence[Counter[int]]) -> Table:
    head = ("Theme", "Sessions", "Memory approved", f"By {periods.unit}")
    return Table(
        tuple(Cell(text, number=text == "Sessions") for text in head),
        tuple(
            (
                Cell(headline(theme.statement, _STATEMENT)),
                Cell(f"{len(theme.days):,}", number=True),
                Cell(day_name(theme.approved) if theme.approved else "not yet"),
                Cell("; ".join(f"{periods.name(p)}: {n:,}" for p, n in sorted(count.items()))),
            )
            for theme, count in zip(themes, counts, strict=True)
        ),
    )
