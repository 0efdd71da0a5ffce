"""What an option takes: a day as people say it (`--since`), an amount (`--budget`)."""

import math
import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import click

_AGO = re.compile(r"(\d{1,4})\s*([dw])")
_UNITS = {"d": 1, "w": 7}


def day_named(text: str, today: date) -> date:
    """Return the day that a text names: 2026-01-31, today, yesterday, 7d or 2w ago.

    Raises ValueError where it names none.
    """
    words = text.strip().lower()
    if words in ("today", "yesterday"):
        return today - timedelta(days=words == "yesterday")
    if ago := _AGO.fullmatch(words):
        return today - timedelta(days=int(ago[1]) * _UNITS[ago[2]])
    return date.fromisoformat(words)


class _Day(click.ParamType[datetime]):
    """A day in UTC; callers get its first moment, without a zone."""

    name = "day"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return datetime.combine(day_named(str(value), datetime.now(UTC).date()), time())
        except (ValueError, OverflowError):
            self.fail(
                f"{value!r} is not a day; use 2026-01-31, today, yesterday, 7d or 2w", param, ctx
            )


DAY = _Day()


class Amount(click.FloatRange):
    """A number in a range: NaN is beside every range, and an infinite amount is none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; click.BadParameter where it is none."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not an amount; give a number", param, ctx)
        return number
