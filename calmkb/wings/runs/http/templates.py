"""Templates rendered for a browser: all text escaped, invisible characters shown."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse
from markupsafe import Markup

from calmkb.model.words import short_line
from calmkb.redact.invisible import show_invisible
from calmkb.templating import templates_dir

if TYPE_CHECKING:
    from jinja2 import Environment

_LINE = 160
_DEEP = 60_000


def page(name: str, *, code: int = 200, **values: object) -> HTMLResponse:
    """Return the template `name` rendered with `values` as a reply."""
    return HTMLResponse(render(name, **values), status_code=code)


def render(name: str, **values: object) -> str:
    """Return the template `name` rendered with `values`."""
    return _environment().get_template(name).render(**values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(templates_dir() / "runs"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
        finalize=_shown,
    )
    environment.filters |= {one.__name__: one for one in (line, pretty, moment, span, seconds)}
    return environment


def line(value: object, most: int = _LINE) -> str:
    """Return the first words of a text, in one line."""
    return short_line(str(value)[: most * 4], most)


def pretty(value: Any) -> str:
    """Return a JSON value indented, at most 60,000 characters."""
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return text if len(text) <= _DEEP else text[:_DEEP] + "\n[…]"


def moment(value: datetime) -> Markup:
    """Return a time to the minute, UTC."""
    at = value.astimezone(UTC)
    words = at.strftime("%Y-%m-%d %H:%M UTC")
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(timespec="seconds"), words)


def span(started: datetime, ended: datetime | None) -> str:
    """Return how long something took, or nothing while it runs."""
    if ended is None:
        return ""
    seconds = max(0, round((ended - started).total_seconds()))
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "under 1 s"


def seconds(milliseconds: object) -> int:
    """Return whole seconds; an invalid time is 0."""
    if not isinstance(milliseconds, int | float) or not 0 <= milliseconds < 1e15:
        return 0
    return round(milliseconds / 1000)


def _shown(value: object) -> object:
    if isinstance(value, Markup):
        return value
    return "" if value is None else show_invisible(str(value))
