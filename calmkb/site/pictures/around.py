"""The picture of a trouble's share of sessions, week by week before its memory and since."""

from collections.abc import Sequence

from calmkb.model.words import counted
from calmkb.site.pictures.axes import Level, Moment, bar_path, round_steps
from calmkb.site.pictures.frame import WIDTH, Cell, Table, draw, number, text_width

Share = tuple[int, int]
"""How many sessions met it, of how many that could."""

_HEIGHT, _BASE, _BARS_HEIGHT = 166, 120.0, 96.0
_GUTTER = 12.0


def around(before: Sequence[Share], since: Sequence[Share], *, troubles: int) -> str:
    """Return bars of the share in each week, as raw HTML, with a mark where memories were approved.

    Both sides hold weeks in the order of time.
    """
    shares = [*before, *since]
    percents = [100 * met / sessions if sessions else 0.0 for met, sessions in shares]
    top = max(*percents, 1.0)
    ticks = _ticks(top)
    left = _GUTTER + max(text_width(tick.name) for tick in ticks)
    pitch = (WIDTH - left) / len(shares)
    x = left + pitch * len(before)
    return draw(
        "history",
        name="around",
        caption=_caption(before, since, troubles),
        description="Bars: of the sessions that could meet a trouble, the share that did, by week.",
        height=_HEIGHT,
        base=_BASE,
        left=left,
        right=WIDTH,
        ticks=ticks,
        bars=bar_path(
            [_BARS_HEIGHT * one / top for one in percents], base=_BASE, left=left, pitch=pitch
        ),
        mark=f"M{number(x)} 4V{number(_BASE)}",
        times=[
            Moment(left, f"{len(before)} weeks before", "start"),
            Moment(WIDTH, f"{len(since)} weeks since", "end"),
        ],
        table=_table(before, since),
    )


def _ticks(top: float) -> list[Level]:
    steps = round_steps(top)
    return [Level(_BASE - _BARS_HEIGHT * step / top, f"{step:.0f} %") for step in steps]


def _caption(before: Sequence[Share], since: Sequence[Share], troubles: int) -> str:
    return (
        f"{counted(troubles, 'trouble')} with a memory: before it, {_spoken(before)} met them; "
        f"since, {_spoken(since)}. The session that led to a memory is left out."
    )


def _spoken(side: Sequence[Share]) -> str:
    met, sessions = (sum(column) for column in zip(*side, strict=True))
    return f"{100 * met / max(1, sessions):.0f} % of sessions ({met:,} of {sessions:,})"


def _table(before: Sequence[Share], since: Sequence[Share]) -> Table:
    named = [
        *((f"{len(before) - place} before", share) for place, share in enumerate(before)),
        *((f"{place + 1} since", share) for place, share in enumerate(since)),
    ]
    return Table(
        (Cell("Week"), Cell("Met it", number=True), Cell("Sessions", number=True)),
        tuple(
            (Cell(name), Cell(f"{met:,}", number=True), Cell(f"{sessions:,}", number=True))
            for name, (met, sessions) in named
        ),
    )
