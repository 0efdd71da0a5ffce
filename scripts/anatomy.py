"""Every folder of calmkb in one line, from the docstrings of its packages."""

import ast
from pathlib import Path

TOP = Path(__file__).parent.parent / "calmkb"

HEAD = """\
# Anatomy

<!-- Made by scripts/anatomy.py; to change a line here, change the docstring of the package. -->

Every folder of `calmkb/` in one line. Each package's `__init__.py` says what to read first,
[Design](explanation/design.md#the-structure-of-the-code) which folder may import which.

"""


def anatomy() -> str:
    """Return the whole page."""
    return HEAD + "".join(_line(folder) for folder in folders())


def folders() -> list[Path]:
    """Return the folders below calmkb/ that hold files of the project, each before its own."""
    holding = {path.parent for path in TOP.rglob("*") if path.suffix in (".py", ".toml", ".json")}
    return sorted(holding - {TOP})


def _line(folder: Path) -> str:
    place = folder.relative_to(TOP)
    indent = "    " * (len(place.parts) - 1)
    return f"{indent}- `{place.name}/`: {_purpose(folder)}\n"


def _purpose(folder: Path) -> str:
    """Return what its docstring says before what to read, or whose files it holds."""
    package = folder / "__init__.py"
    text = ast.get_docstring(ast.parse(package.read_text("utf-8"))) if package.is_file() else None
    if text is None:
        return f"what `{folder.parent.name}` reads."
    return " ".join(text.partition("Read `")[0].split())
