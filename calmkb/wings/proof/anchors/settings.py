"""The settings in a file: each key from the top with dots, and its value as text."""

import configparser
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import yaml

_DEEP, _MOST = 12, 20_000


def settings_in(path: str, text: str) -> dict[str, str] | None:
    """Return the value of each key in a TOML, YAML, JSON or INI file, as JSON.

    None where the file is of no such kind, cannot be read or holds too much: a few lines of YAML
    can name themselves until they fill any memory.
    """
    read = _READERS.get(path.rpartition(".")[2].lower())
    if read is None:
        return None
    try:
        settings = read(text)
        return dict(_keys(settings, "", 0)) if _fits(settings) else None
    except (ValueError, RecursionError, yaml.YAMLError, configparser.Error):
        return None


def keys_ending(known: Iterable[str], key: str) -> list[str]:
    """Return the full keys that `key` is the end of; the very key alone where it is one."""
    every = list(known)
    return [key] if key in every else [one for one in every if one.endswith(f".{key}")]


def _fits(value: object) -> bool:
    """Return whether a value holds at most `_MOST` parts, each counted as often as it is named."""
    waiting, left = [value], _MOST
    while waiting and left:
        one = waiting.pop()
        left -= 1
        if isinstance(one, Mapping):
            waiting += islice(one.values(), left)
        elif isinstance(one, list):
            waiting += islice(one, left)
    return not waiting


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
