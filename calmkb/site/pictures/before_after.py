"""The picture of one memory: how often its theme came up before it was approved and since."""

from dataclasses import dataclass
from math import log2

from calmkb.model import Helping, Rate
from calmkb.model.words import counted
from calmkb.site.pictures.frame import WIDTH, Cell, Table, draw

_TOLD = {
    "helped": "It helped",
    "came back more often": "It came back more often",
    "too early to say": "Too early to say",
}
_BARS_WIDTH = 560.0
_HEIGHT, _SHORT_HEIGHT = 230, 112
_EDGE = 4.0
"""The scale of the ratio goes from 2 to the power of -4 to 2 to the power of 4."""
_MARGIN = 14.0


@dataclass(frozen=True, slots=True)
class _Bar:
    label: str
    y: float
    width: float
    share: str


@dataclass(frozen=True, slots=True)
class _Interval:
    """Places in units; `open_low` and `open_high` tell that it goes on beyond the scale."""

    label: str
    x: float
    low: float
    high: float
    open_low: bool
    open_high: bool


def before_after(helped: Helping, *, name: str = "") -> str:
    """Return the share of sessions before and since as bars, and the ratio of the two, as raw HTML.

    Below the bars is the 90 % interval of the ratio on a scale of doublings. What is not
    certain is drawn dashed and hollow. "" where there is nothing to compare: no session since, or
    none before, or a theme that never came up. `name` distinguishes two pictures of a page.
    """
    rates = (helped.before, helped.since)
    if not all(rate.sessions for rate in rates) or not any(rate.occurred for rate in rates):
        return ""
    top = max(rate.occurred / rate.sessions for rate in rates)
    return draw(
        "before-after",
        name=name,
        caption=f"Did it help? {_TOLD[helped.verdict]}.",
        description=f"{helped.words}.",
        height=_HEIGHT if helped.ratio is not None else _SHORT_HEIGHT,
        bars=(
            _bar("Before it was approved", helped.before, top, 20.0),
            _bar("Since", helped.since, top, 78.0),
        ),
        interval=_interval(helped),
        same=_place(1),
        sure=helped.verdict != "too early to say",
        table=_table(helped),
    )


def _bar(label: str, rate: Rate, top: float, y: float) -> _Bar:
    text = f"{label}: {rate.occurred:,} of {counted(rate.sessions, 'session')}"
    return _Bar(text, y, _BARS_WIDTH * rate.occurred / rate.sessions / top, _share(rate))


def _interval(helped: Helping) -> _Interval | None:
    if helped.ratio is None:
        return None
    high = "no bound" if helped.high is None else _ratio_words(helped.high)
    return _Interval(
        f"{_ratio_words(helped.ratio)} times as often (90 %: {_ratio_words(helped.low)} to {high})",
        _place(helped.ratio),
        _place(helped.low),
        _place(helped.high),
        helped.low < 2**-_EDGE,
        helped.high is None or helped.high > 2**_EDGE,
    )


def _place(ratio: float | None) -> float:
    """Return where a ratio is drawn; doublings are equally far apart, the ends hold the rest."""
    doublings = _EDGE if ratio is None else -_EDGE if ratio <= 0 else log2(ratio)
    part = (min(_EDGE, max(-_EDGE, doublings)) + _EDGE) / (2 * _EDGE)
    return _MARGIN + part * (WIDTH - 2 * _MARGIN)


def _ratio_words(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:,.0f}"


def _share(rate: Rate) -> str:
    share = 100 * rate.occurred / rate.sessions
    return f"{share:.0f} %" if share == 0 or share >= 10 else f"{share:.1f} %"


def _table(helped: Helping) -> Table:
    head = ("Came up in", "Of sessions", "Share")
    rows = (("Before", helped.before), ("Since", helped.since))
    return Table(
        (Cell("When"), *(Cell(text, number=True) for text in head)),
        tuple(
            (
                Cell(label),
                Cell(f"{rate.occurred:,}", number=True),
                Cell(f"{rate.sessions:,}", number=True),
                Cell(_share(rate), number=True),
            )
            for label, rate in rows
        ),
    )
