"""JSON in and out of commands."""

import json
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import click

from calmkb.errors import CalmError

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


VERSION = 1
"""Of what `--json` prints: raised where a key changes its meaning or goes; keys may be added."""


def json_text(document: Mapping[str, Any], *, indent: int | None = None) -> str:
    """Return what a command with `--json` prints: an object with its `version`."""
    whole = {"version": VERSION, **document}
    return json.dumps(whole, ensure_ascii=False, indent=indent, default=_as_json)


def print_json(document: Mapping[str, Any], *, indent: int | None = None) -> None:
    """Print an object as JSON, with its `version`."""
    click.echo(json_text(document, indent=indent))


def _as_json(value: object) -> object:
    """Return what JSON does not know: a time in ISO 8601, a dataclass as an object."""
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value):
        return fields_named(value, *(field.name for field in fields(value)))
    raise TypeError(f"{type(value).__name__} is not JSON")


def fields_named(item: object, *names: str) -> dict[str, Any]:
    """Return fields of an object by name, as `json_text` takes them."""
    return {name: getattr(item, name) for name in names}


def print_value(value: Any) -> None:
    """Print a value as JSON, as the commands of the signal store do for programs."""
    click.echo(json.dumps(value, ensure_ascii=False))


def read_json(source: str) -> Any:
    """Return what is in a file, or on standard input for `-`; CalmError says what is wrong."""
    place = place_of(source)
    try:
        return json.loads(read_source(source))
    except RecursionError:
        raise CalmError(f"{place} is nested too deeply to be read") from None
    except ValueError as error:
        raise CalmError(f"{place} is not JSON: {error}") from error


def read_source(source: str) -> str:
    """Return the text of a file, or of standard input for `-`; CalmError where it has none."""
    try:
        return sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except OSError as error:
        raise CalmError(f"cannot read {source}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CalmError(f"{place_of(source)} is not UTF-8") from error


def read_rows(source: str, key: str, command: str) -> list[dict[str, Any]]:
    """Return the objects in the list `key` of a file that `command` printed; else CalmError."""
    document = read_json(source)
    rows = document.get(key) if isinstance(document, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CalmError(f"{place_of(source)} must hold {{'{key}': […]}}, as `{command}` prints it")
    return rows


def place_of(source: str) -> str:
    """Return what to call the source in messages."""
    return "standard input" if source == "-" else source
