"""Templates that ship with calmkb: found in a wheel and in a checkout alike."""

from functools import cache
from pathlib import Path
from typing import Any

import calmkb
from calmkb.errors import CalmError


def templates_dir() -> Path:
    """Return `calmkb/templates` of an installed wheel, else `templates` of the checkout."""
    package = Path(calmkb.__file__).parent
    for folder in (package / "templates", package.parent / "templates"):
        if (folder / "scaffold").is_dir():
            return folder
    raise CalmError(f"no templates beside {package}; install calmkb again")


def render_template(name: str, **values: object) -> str:
    """Return the template `name` (path below the templates folder) filled with `values`."""
    return str(_environment().get_template(name).render(**values))


@cache  # which keeps what it has compiled
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=FileSystemLoader(templates_dir()), undefined=StrictUndefined,
        keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True,
        # Markdown, YAML and TOML of our own hold no HTML.
        autoescape=select_autoescape(["html.j2"]),
    )  # fmt: skip
