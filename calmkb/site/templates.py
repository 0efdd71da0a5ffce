"""Finds the folder of Jinja2 templates, in a wheel and in a checkout."""

from pathlib import Path

import calmkb
from calmkb.errors import CalmError


def templates_dir() -> Path:
    """Return `calmkb/templates` of an installed wheel, else `templates` of the checkout."""
    package = Path(calmkb.__file__).parent
    for folder in (package / "templates", package.parent / "templates"):
        if (folder / "site").is_dir():
            return folder
    raise CalmError(f"No templates beside {package}; install calmkb again")
