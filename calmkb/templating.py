"""Templates that ship with calmkb: found in a wheel and in a checkout alike."""

from pathlib import Path

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
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(templates_dir()),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        # Markdown, YAML and TOML of our own hold no HTML.
        autoescape=name.endswith(".html.j2"),
    )
    return environment.get_template(name).render(**values)
