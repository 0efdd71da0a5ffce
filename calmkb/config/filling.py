"""TOML tables into settings: what does not fit is named, all of it at once."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any


def fill(kind: type, table: Mapping[str, Any], prefix: str, faults: list[str]) -> Any:
    """Return a `kind` filled from `table`; what does not fit goes to `faults`."""
    defaults = kind()
    known = {f.name: getattr(defaults, f.name) for f in fields(kind)}
    listed = {f.name: f.metadata["of"] for f in fields(kind) if "of" in f.metadata}
    tables = {f.name: f.metadata["each"] for f in fields(kind) if "each" in f.metadata}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            choices = ", ".join(prefix + name for name in known)
            faults.append(f"{prefix}{key} is unknown; choose from: {choices}")
        elif key in listed:
            values[key] = _fill_list(listed[key], value, f"{prefix}{key}", faults)
        elif key in tables:
            values[key] = _fill_each(tables[key], value, f"{prefix}{key}", faults)
        elif isinstance(known[key], tuple):
            values[key] = _texts(value, f"{prefix}{key}", faults)
        elif isinstance(value, dict) and not isinstance(known[key], (str, float, int)):
            values[key] = fill(type(known[key]), value, f"{prefix}{key}.", faults)
        elif _fits(value, known[key]):
            values[key] = type(known[key])(value)
        else:
            faults.append(f"{prefix}{key} must be {_described(known[key])}, not {value!r}")
    return kind(**values)


def _fill_each(kind: type, value: object, name: str, faults: list[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        faults.append(f"{name} must hold a table for each: [{name}.NAME]")
        return {}
    return {key: fill(kind, item, f"{name}.{key}.", faults) for key, item in value.items()}


def _texts(value: object, name: str, faults: list[str]) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        faults.append(f"{name} must be a list of texts, not {value!r}")
        return ()
    return tuple(dict.fromkeys(value))


def _fill_list(kind: type, value: object, name: str, faults: list[str]) -> tuple[Any, ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        keys = ", ".join(f'{f.name} = "…"' for f in fields(kind))
        faults.append(f"{name} must be a list of {{{keys}}}")
        return ()
    return tuple(
        fill(kind, item, f"{name}[{number}].", faults) for number, item in enumerate(value, 1)
    )


def _fits(value: object, example: object) -> bool:
    if isinstance(value, bool) or isinstance(example, bool):
        return type(value) is type(example)
    return isinstance(value, type(example)) or (isinstance(example, float) and type(value) is int)


def _described(example: object) -> str:
    kinds = {str: "text", float: "a number", int: "a whole number", bool: "true or false"}
    return kinds.get(type(example), "a table")
