"""The map of themes: alike ones near each other, as large as they are frequent."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, sqrt

from calmkb.site.pictures.frame import TEXT, WIDTH, Cell, Table, counted, draw, inward
from calmkb.site.pictures.labels import Circle, Label, Room
from calmkb.site.sanitise import headline

MOST_THEMES = 60
_HEIGHT = 440
_LARGEST, _SMALLEST = 32.0, 5.0
_COVERED = 0.1
_CLEAR = 5.0
_ROUNDS = 60
_NAME, _STATEMENT = 60, 140
_SCREENS = (("", TEXT, 9.0), ("wide", 16.0, 11.0), ("widest", 12.5, 12.0))
"""From phones to desks: from where on a name is shown, units of text, sizes a line may be wide."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A theme at its place: `x` from left and `y` from top, both from 0 to 1.

    `href` leads from the page to the theme; one that would leave the site is left out. `answered`
    tells whether a memory answers it.
    """

    statement: str
    sessions: int
    x: float
    y: float
    href: str = ""
    answered: bool = False


@dataclass(frozen=True, slots=True)
class _Drawn:
    circle: Circle
    href: str
    told: str
    answered: bool
    label: Label | None = None
    screen: str = ""


def theme_map(spots: Sequence[Spot], *, name: str = "") -> str:
    """Return the 60 themes of most sessions as circles, as raw HTML; "" for none.

    The area of a circle goes with its sessions; circles that would overlap are pushed apart. Names
    stand where they meet nothing, those of large themes first; some on wide screens only. All are
    in the table, with their links. `name` tells two such pictures of one page apart.
    """
    spots = sorted(
        (spot for spot in spots if spot.sessions > 0),
        key=lambda spot: (-spot.sessions, spot.statement, spot.href, spot.x, spot.y),
    )[:MOST_THEMES]
    if not spots:
        return ""
    answered = sum(spot.answered for spot in spots)
    return draw(
        "theme-map",
        name=name,
        caption=f"{counted(len(spots), 'theme')}, the larger the more sessions; alike ones are near"
        " each other. Filled: a memory answers it; hollow: none does yet.",
        description=f"{answered:,} of {counted(len(spots), 'theme')} answered by a memory. "
        f"The largest, in {counted(spots[0].sessions, 'session')}: "
        f"{headline(spots[0].statement, _STATEMENT)}",
        role="group",
        height=_HEIGHT,
        spots=_drawn(spots),
        table=_table(spots),
    )


def _drawn(spots: Sequence[Spot]) -> list[_Drawn]:
    circles = apart(_circles(spots))
    found = []
    for spot, circle, (label, screen) in zip(spots, circles, _named(spots, circles), strict=True):
        told = f"{headline(spot.statement, _STATEMENT)}: {counted(spot.sessions, 'session')}"
        found.append(_Drawn(circle, inward(spot.href), told, spot.answered, label, screen))
    return found


def _named(spots: Sequence[Spot], circles: Sequence[Circle]) -> list[tuple[Label | None, str]]:
    """Names that a phone has room for come first: smaller on a desk, they leave room for more."""
    found: list[tuple[Label | None, str]] = [(None, "")] * len(spots)
    for screen, size, widest in _SCREENS:
        room = Room(circles, height=_HEIGHT)
        for label, _ in found:
            if label:
                room.keep(label, size=size)
        for place, (spot, circle) in enumerate(zip(spots, circles, strict=True)):
            if not found[place][0]:
                text = headline(spot.statement, _NAME)
                found[place] = (room.place(text, circle, size=size, widest=widest), screen)
    return found


def _circles(spots: Sequence[Spot]) -> list[Circle]:
    top = max(spot.sessions for spot in spots)
    shares = sum(spot.sessions / top for spot in spots)
    largest = min(_LARGEST, sqrt(_COVERED * WIDTH * _HEIGHT / (pi * shares)))
    across, down = _stretched([spot.x for spot in spots]), _stretched([spot.y for spot in spots])
    return [
        Circle(
            _LARGEST + x * (WIDTH - 2 * _LARGEST),
            _LARGEST + y * (_HEIGHT - 2 * _LARGEST),
            max(_SMALLEST, largest * sqrt(spot.sessions / top)),
        )
        for spot, x, y in zip(spots, across, down, strict=True)
    ]


def _stretched(places: Sequence[float]) -> list[float]:
    """Return places that reach from 0 to 1: only how they lie to each other means anything."""
    kept = [min(1.0, max(0.0, place)) for place in places]
    low, high = min(kept), max(kept)
    return [(place - low) / (high - low) if high > low else 0.5 for place in kept]


def apart(circles: Sequence[Circle]) -> list[Circle]:
    """Return the circles pushed apart until none meets another, or 60 rounds are over."""
    places = [[circle.x, circle.y] for circle in circles]
    for _ in range(_ROUNDS):
        moved = False
        for one, first in enumerate(circles):
            for other in range(one):
                need = first.r + circles[other].r + _CLEAR
                moved |= _push(places[other], places[one], need)
        for place, circle in zip(places, circles, strict=True):
            place[0] = min(WIDTH - circle.r - 2, max(circle.r + 2, place[0]))
            place[1] = min(_HEIGHT - circle.r - 2, max(circle.r + 2, place[1]))
        if not moved:
            break
    return [Circle(x, y, circle.r) for (x, y), circle in zip(places, circles, strict=True)]


def _push(one: list[float], other: list[float], need: float) -> bool:
    """Move both half of what is missing to `need`; two at one place part sideways."""
    x, y = other[0] - one[0], other[1] - one[1]
    distance = sqrt(x * x + y * y)
    if distance >= need - 0.05:
        return False
    x, y = (x / distance, y / distance) if distance else (1.0, 0.0)
    step = (need - distance) / 2
    one[0], one[1] = one[0] - x * step, one[1] - y * step
    other[0], other[1] = other[0] + x * step, other[1] + y * step
    return True


def _table(spots: Sequence[Spot]) -> Table:
    return Table(
        (Cell("Theme"), Cell("Sessions", number=True), Cell("Answered")),
        tuple(
            (
                Cell(headline(spot.statement, _STATEMENT), href=inward(spot.href)),
                Cell(f"{spot.sessions:,}", number=True),
                Cell("yes" if spot.answered else "not yet"),
            )
            for spot in spots
        ),
    )
