"""The names that records are imported by: each is loaded when it is asked for."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from calmkb import model

SOURCE = Path(model.__file__)


def imported(node: ast.AST, module: str) -> list[str]:
    """Return what a statement imports from a module."""
    if not isinstance(node, ast.ImportFrom) or node.module != module:
        return []
    return [name.name for name in node.names]


def test_each_name_is_that_of_its_module():
    for name, module in model._HOMES.items():
        assert getattr(model, name) is getattr(import_module(f"calmkb.model.{module}"), name)


def test_the_type_checker_sees_the_same_modules():
    nodes = ast.walk(ast.parse(SOURCE.read_text("utf-8")))
    seen = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    assert [f"calmkb.model.{name}" for name in model._NAMES] == [
        name for name in seen if name and name.startswith("calmkb.model.")
    ]


def test_all_that_is_imported_from_here_is_there():
    texts = (file.read_text("utf-8") for file in SOURCE.parents[1].rglob("*.py"))
    trees = (ast.parse(text) for text in texts if "calmkb.model import" in text)
    names = {name for tree in trees for n in ast.walk(tree) for name in imported(n, "calmkb.model")}
    modules = {path.stem for path in SOURCE.parent.glob("*.py")}
    assert len(names) > 50
    assert names - modules <= model._HOMES.keys()


def test_a_name_that_is_nowhere_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Entrance'"):
        _ = model.Entrance
