"""Time in equal steps, few enough to draw: weeks, else months, else years."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

Unit = Literal["week", "month", "year"]

MOST_WEEKS = 60
MOST_STEPS = 120
"""A record made by a clock gone wrong must not make a picture of ten thousand steps."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TICK_MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600)


@dataclass(frozen=True, slots=True)
class Periods:
    """`count` steps of one unit; a step is known by its place, the earliest is 0."""

    unit: Unit
    count: int
    origin: int

    def place(self, day: date) -> int:
        """Return the step that `day` lies in; below 0 where it is too early to be drawn."""
        return _step(day, self.unit) - self.origin

    def start(self, place: int) -> date:
        """Return the first day of a step; a week is ISO's and starts on Monday."""
        step = self.origin + place
        if self.unit == "week":
            return date.fromordinal(step * 7 + 1)
        return date(step // 12, step % 12 + 1, 1) if self.unit == "month" else date(step, 1, 1)

    def name(self, place: int) -> str:
        """Return `12 Oct 2026` for a week, `Oct 2026` or `2026`."""
        start = self.start(place)
        if self.unit == "week":
            return day_name(start)
        return month_name(start) if self.unit == "month" else str(start.year)

    def ticks(self, most: int) -> list[tuple[int, str]]:
        """Return at most `most` places worth naming, evenly spread, with short names."""
        starts = [self.start(place) for place in range(self.count)]
        if self.unit == "week" and self.count <= most:
            return [(place, day_name(day)[:-5]) for place, day in enumerate(starts)]
        for months in _TICK_MONTHS:
            found = [
                place
                for place, day in enumerate(starts)
                if day.day <= 7 and (12 * day.year + day.month - 1) % months == 0
            ]
            if len(found) <= most:
                return [(p, _short(starts[p], p == found[0], months)) for p in found]
        return []


def periods_of(days: Iterable[date]) -> Periods:
    """Return the steps from the first to the last of `days`, at least one of them given.

    Weeks where 60 are enough, months where 120 are, else years, of which the newest 120 count.
    """
    days = list(days)
    first, last = min(days), max(days)
    unit: Unit = "year"
    if _step(last, "week") - _step(first, "week") < MOST_WEEKS:
        unit = "week"
    elif _step(last, "month") - _step(first, "month") < MOST_STEPS:
        unit = "month"
    end = _step(last, unit)
    origin = max(_step(first, unit), end - MOST_STEPS + 1)
    return Periods(unit, end - origin + 1, origin)


def day_name(day: date) -> str:
    """Return `12 Oct 2026`; strftime's names would follow the machine's language."""
    return f"{day.day} {month_name(day)}"


def month_name(day: date) -> str:
    """Return `Oct 2026`."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _step(day: date, unit: Unit) -> int:
    if unit == "week":
        return (day.toordinal() - 1) // 7  # 1 January of year 1 was a Monday.
    return day.year * 12 + day.month - 1 if unit == "month" else day.year


def _short(day: date, first: bool, months: int) -> str:
    if months >= 12:
        return str(day.year)
    return month_name(day) if first or day.month == 1 else month_name(day)[:3]
