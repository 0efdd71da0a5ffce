"""The settings in a file: each key from the top with dots, and its value as text."""

import configparser
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

_DEEP = 12


def settings_in(path: str, text: str) -> dict[str, str] | None:
    """Return the value of each key in a TOML, YAML, JSON or INI file, as JSON.

    None where the file is of no such kind or cannot be read.
    """
    read = _READERS.get(path.rpartition(".")[2].lower())
    if read is None:
        return None
    try:
        return dict(_keys(read(text), "", 0))
    except (ValueError, RecursionError, yaml.YAMLError, configparser.Error):
        return None


def setting(path: str, text: str, key: str) -> tuple[str, str] | None:
    """Return the full key that `key` ends and its value; None where none or many keys do."""
    known = settings_in(path, text) or {}
    fits = [one for one in known if one == key] or [
        one for one in known if f".{one}".endswith(f".{key}")
    ]
    return (fits[0], known[fits[0]]) if len(fits) == 1 else None


def _keys(value: object, above: str, depth: int) -> Iterator[tuple[str, str]]:
    if not isinstance(value, Mapping) or depth > _DEEP:
        return
    for name, below in value.items():
        key = f"{above}.{name}" if above else str(name)
        yield key, json.dumps(below, sort_keys=True, default=str, ensure_ascii=False)
        yield from _keys(below, key, depth + 1)


def _ini(text: str) -> dict[str, Any]:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string(text)
    return {name: dict(parser.items(name)) for name in parser.sections()}


_READERS: Mapping[str, Callable[[str], Any]] = {
    "toml": tomllib.loads,
    "json": json.loads,
    "yaml": yaml.safe_load,
    "yml": yaml.safe_load,
    "ini": _ini,
    "cfg": _ini,
}
