"""A newcomer finds the way in: each package says what to read first, and shows it at a glance."""

import ast
import re
from pathlib import Path

import pytest

import calmkb

ROOT = Path(calmkb.__file__).parent
PACKAGES = sorted(
    path.parent for path in ROOT.rglob("__init__.py") if path.parent.name != "versions"
)
MOST = 15


def named(folder: Path) -> list[str]:
    """Return what the docstring of a package names, which must begin with what to read."""
    tree = ast.parse((folder / "__init__.py").read_text("utf-8"))
    text = ast.get_docstring(tree) or ""
    assert re.search(r"\bRead `[\w.]+`", text), folder
    return re.findall(r"`([\w.]+)`", text)


def is_there(name: str, folder: Path) -> bool:
    place = Path(*name.split("."))
    if any((top / place).with_suffix(".py").exists() or (top / place).is_dir()
           for top in (folder, ROOT)):  # fmt: skip
        return True
    wanted = re.compile(rf"^\s*(?:def|class|async def) {name.rpartition('.')[2]}\b", re.MULTILINE)
    constant = re.compile(rf"^{re.escape(name)}\b", re.MULTILINE)
    texts = (path.read_text("utf-8") for path in folder.rglob("*.py"))
    return any(wanted.search(text) or constant.search(text) for text in texts)


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_package_shows_the_way_in_at_a_glance(folder):
    assert [name for name in named(folder) if not is_there(name, folder)] == []
    modules = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= MOST, modules
