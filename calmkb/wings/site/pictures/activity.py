"""The picture of sessions and friction over time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from calmkb.model.words import counted
from calmkb.wings.site.pictures.axes import Level, bar_path, levels, moments
from calmkb.wings.site.pictures.frame import WIDTH, Cell, Table, draw, number, text_width
from calmkb.wings.site.pictures.periods import Periods, periods_of

_HEIGHT, _BARS_BASE, _LINE_BASE = 322, 150.0, 276.0
_BARS_HEIGHT, _LINE_HEIGHT = 112.0, 74.0
_WIDEST_STEP = 44.0
_GUTTER = 12.0


@dataclass(frozen=True, slots=True)
class Tally:
    """How many sessions a day, or a longer step of time, had, and their friction points."""

    day: date
    sessions: int = 1
    friction: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    name: str
    sessions: int
    friction: int

    @property
    def rate(self) -> float:
        return self.friction / self.sessions


@dataclass(frozen=True, slots=True)
class _Panel:
    """Its title and its heights; `top` is what reaches `height` units above `base`."""

    title: str
    top: float
    base: float
    height: float
    ticks: list[Level]

    def y(self, value: float) -> float:
        return self.base - self.height * value / self.top


def activity(tallies: Iterable[Tally], *, until: date | None = None, name: str = "") -> str:
    """Return sessions as bars and friction points a session as a line below, as raw HTML.

    By ISO week; over more than 60 weeks by month, over more than 120 months by year. Give a tally a
    session, or one a day or week; the picture goes on to `until`, so that silence shows. `name`
    distinguishes two such pictures of a page. "" for nothing.
    """
    kept = [tally for tally in tallies if tally.sessions > 0]
    if not kept:
        return ""
    periods = periods_of([*(tally.day for tally in kept), *([until] if until else [])])
    steps = _steps(periods, kept)
    if not any(step.sessions for step in steps):  # all of it too long ago to be drawn
        return ""
    bars, line = _bars(periods, steps), _line(steps)
    left = _GUTTER + max(text_width(tick.name) for tick in (*bars.ticks, *line.ticks))
    pitch = min((WIDTH - left) / periods.count, _WIDEST_STEP)
    lost = sum(tally.sessions for tally in kept) - sum(step.sessions for step in steps)
    return draw(
        "activity",
        name=name,
        caption=_caption(periods, steps, lost),
        description=_description(periods, steps),
        height=_HEIGHT,
        left=left,
        right=left + pitch * periods.count,
        panels=(bars, line),
        bars=bar_path(
            [bars.base - bars.y(step.sessions) for step in steps],
            base=bars.base,
            left=left,
            pitch=pitch,
        ),
        runs=_runs(line, steps, left, pitch),
        radius=min(3.5, max(1.5, pitch / 4)),
        times=moments(periods, left=left, pitch=pitch),
        table=_table(periods, steps),
    )


def _steps(periods: Periods, tallies: list[Tally]) -> list[_Step]:
    counts = [[0, 0] for _ in range(periods.count)]
    for tally in tallies:
        if (place := periods.place(tally.day)) >= 0:
            counts[place][0] += tally.sessions
            counts[place][1] += tally.friction
    return [_Step(periods.name(place), *count) for place, count in enumerate(counts)]


def _bars(periods: Periods, steps: list[_Step]) -> _Panel:
    top = max(step.sessions for step in steps)
    ticks = levels(top, base=_BARS_BASE, height=_BARS_HEIGHT)
    return _Panel(f"Sessions a {periods.unit}", top, _BARS_BASE, _BARS_HEIGHT, ticks)


def _line(steps: list[_Step]) -> _Panel:
    top = max(step.rate for step in steps if step.sessions) or 1.0
    ticks = levels(top, base=_LINE_BASE, height=_LINE_HEIGHT, least=0.1, most=2)
    title = f"Friction points a session, {_mean(steps):.1f} on average"
    return _Panel(title, top, _LINE_BASE, _LINE_HEIGHT, ticks)


def _runs(
    panel: _Panel, steps: list[_Step], left: float, pitch: float
) -> list[list[tuple[str, str]]]:
    """Return the points of the line; a step without sessions has no rate and leaves a gap."""
    runs: list[list[tuple[str, str]]] = [[]]
    for place, step in enumerate(steps):
        if step.sessions:
            x, y = left + pitch * (place + 0.5), panel.y(step.rate)
            runs[-1].append((number(x), number(y)))
        elif runs[-1]:
            runs.append([])
    return runs


def _mean(steps: list[_Step]) -> float:
    return sum(step.friction for step in steps) / sum(step.sessions for step in steps)


def _caption(periods: Periods, steps: list[_Step], lost: int) -> str:
    sessions = counted(sum(step.sessions for step in steps), "session")
    if periods.count == 1:
        return f"{sessions} in {_spoken(periods, steps[0])}"
    earlier = f"; {counted(lost, 'earlier one')} left out" if lost else ""
    return f"{sessions} by {periods.unit}, {steps[0].name} to {steps[-1].name}{earlier}"


def _description(periods: Periods, steps: list[_Step]) -> str:
    busiest = max(steps, key=lambda step: step.sessions)
    hardest = max((step for step in steps if step.sessions), key=lambda step: step.rate)
    return (
        f"Bars: sessions a {periods.unit}, most in {_spoken(periods, busiest)}: "
        f"{busiest.sessions:,}. Line below: friction points a session, {_mean(steps):.1f} on "
        f"average, most in {_spoken(periods, hardest)}: {hardest.rate:.1f}."
    )


def _spoken(periods: Periods, step: _Step) -> str:
    return f"the week of {step.name}" if periods.unit == "week" else step.name


def _table(periods: Periods, steps: list[_Step]) -> Table:
    heads = ("Sessions", "Friction points", "A session")
    first = "Week from" if periods.unit == "week" else periods.unit.capitalize()
    rows = (
        (step.name, f"{step.sessions:,}", f"{step.friction:,}", f"{step.rate:.1f}")
        for step in steps
        if step.sessions
    )
    return Table(
        (Cell(first), *(Cell(head, number=True) for head in heads)),
        tuple((Cell(name), *(Cell(text, number=True) for text in rest)) for name, *rest in rows),
    )
