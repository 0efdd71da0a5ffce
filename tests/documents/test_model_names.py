"""The names that records are imported by: each is loaded when it is asked for."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from calmkb import model


def defined_in_modules() -> set[str]:
    """Return what `calmkb/model/__init__.py` imports for the type checker, as module.name."""
    tree = ast.parse(Path(model.__file__).read_text(encoding="utf-8"))
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {f"{node.module}.{name.name}" for node in imports for name in node.names
            if (node.module or "").startswith("calmkb.model.")}  # fmt: skip


@pytest.mark.parametrize("place", sorted(defined_in_modules()))
def test_a_name_that_the_type_checker_sees_is_there_when_it_is_asked_for(place):
    module, _, name = place.rpartition(".")
    assert getattr(model, name) is getattr(import_module(module), name)
    assert name in model.__all__


def test_nothing_is_exported_beside_them():
    assert set(model.__all__) == {place.rpartition(".")[2] for place in defined_in_modules()}
