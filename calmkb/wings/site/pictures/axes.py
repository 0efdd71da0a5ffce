"""Scales that read well: round ticks upwards, names along the time that do not meet."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from calmkb.wings.site.pictures.frame import WIDTH, number, text_width
from calmkb.wings.site.pictures.periods import Periods

MOST_TICKS = 6
_BAR = 0.78
"""How much of its step a bar takes up."""


@dataclass(frozen=True, slots=True)
class Level:
    """A named height."""

    y: float
    name: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A named place along the time; `anchor` keeps its name inside the drawing."""

    x: float
    name: str
    anchor: str


def round_steps(top: float, *, least: float = 1, most: int = 3) -> list[float]:
    """Return 0 and up to `most` round numbers (1, 2 or 5 by a power of ten) up to `top` at most.

    Of a `top` below `least`, 0 alone.
    """
    for power in count():
        for factor in (1, 2, 5):
            step = least * factor * 10**power
            if top / step < most + 1:
                return [round(step * place, 6) for place in range(int(top / step + 1e-9) + 1)]
    raise AssertionError  # count() does not end


def levels(
    top: float, *, base: float, height: float, least: float = 1, most: int = 3
) -> list[Level]:
    """Return the named heights of a panel that begins at `base` and reaches `top` at `height`."""
    steps = round_steps(top, least=least, most=most)
    return [Level(base - height * step / top, f"{step:,.12g}") for step in steps]


def moments(periods: Periods, *, left: float, pitch: float) -> list[Moment]:
    """Return the names along the time, centred on their steps; on a phone, too, none meets another.

    `left` is where the first step starts and `pitch` how wide a step is, in units.
    """
    found: list[Moment] = []
    free = 0.0
    for place, name in periods.ticks(MOST_TICKS):
        x, half = left + pitch * (place + 0.5), text_width(name) / 2
        if x < half:
            anchor, start = "start", x
        elif x > WIDTH - half:
            anchor, start = "end", x - 2 * half
        else:
            anchor, start = "middle", x - half
        if start >= free:
            found.append(Moment(x, name, anchor))
            free = start + 2 * half + text_width(" ")
    return found


def bar_path(heights: Iterable[float], *, base: float, left: float, pitch: float) -> str:
    """Return the outline of all bars of a row, as one path: `pitch` apart, nothing for height 0."""
    path = ""
    for place, height in enumerate(heights):
        if height:
            start = left + pitch * (place + (1 - _BAR) / 2)
            y, end = number(base - height), number(start + pitch * _BAR)
            path += f"M{number(start)} {number(base)}V{y}H{end}V{number(base)}Z"
    return path
