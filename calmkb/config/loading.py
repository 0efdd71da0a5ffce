"""Where a knowledge base lies, and its settings: what does not fit is named, all of it at once."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from calmkb.config.checking import faults_of
from calmkb.config.settings import Config
from calmkb.errors import ConfigError
from calmkb.system.journal_place import journal_of
from calmkb.system.paths import link_on_the_way

CONFIG_NAME = "calmkb.toml"
PYPROJECT = "pyproject.toml"
DEFAULT_ROOT = ".calm/kb"


def find_root(*, option: str | None, env: Mapping[str, str], cwd: Path, home: Path) -> Path:
    """Return the knowledge base's folder, which need not exist yet.

    `--kb`, then CALMKB_KB, then the nearest folder up that has a configuration or is a repository
    with a journal of its own, then ~/.calm/kb.
    """
    named = option or env.get("CALMKB_KB")
    if named:
        return (cwd / Path(named).expanduser()).resolve()
    for folder in (cwd, *cwd.parents):
        if _is_there(folder / CONFIG_NAME) or _in_pyproject(folder) is not None:
            return folder
        if journal := journal_of(folder, home):
            return journal
    return home / DEFAULT_ROOT


def load_config(root: Path) -> Config:
    """Return the settings of the knowledge base at `root`, defaults where it says nothing.

    Raises ConfigError naming all faults of the file, and where the journal is a link.
    """
    config = _read_config(root)
    if link := link_on_the_way(root, config.journal):
        raise ConfigError(
            f"journal: {link} is a symbolic link, and its records are not read: "
            "replace it with the folder that it points to"
        )
    return config


def _read_config(root: Path) -> Config:
    path = root / CONFIG_NAME
    table = _read_toml(path) if _is_there(path) else _in_pyproject(root)
    if table is None:
        return Config()
    faults: list[str] = []
    config = _fill(Config, table, "", faults)
    if not faults:
        faults += faults_of(config)
    if faults:
        where = path if _is_there(path) else f"{root / PYPROJECT} [tool.calmkb]"
        raise ConfigError(f"{where}: " + "; ".join(faults))
    assert isinstance(config, Config)  # noqa: S101 - fill makes what it is given
    return config


def settings_file(root: Path) -> Path:
    """Return the file that the settings of the knowledge base at `root` are read from."""
    path = root / CONFIG_NAME
    return path if _is_there(path) else root / PYPROJECT


def _is_there(path: Path) -> bool:
    """Return whether there are settings; a link that leads nowhere is a fault, to be named."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def _in_pyproject(folder: Path) -> dict[str, Any] | None:
    path = folder / PYPROJECT
    if not path.is_file():
        return None
    try:
        tool = _read_toml(path).get("tool", {})
    except ConfigError:
        return None  # someone else's broken project file is not ours to complain of
    table = tool.get("calmkb") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be read as TOML: {error}") from error


def _fill(kind: type, table: Mapping[str, Any], prefix: str, faults: list[str]) -> Any:
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
            values[key] = _fill(type(known[key]), value, f"{prefix}{key}.", faults)
        elif _fits(value, known[key]):
            values[key] = type(known[key])(value)
        else:
            faults.append(f"{prefix}{key} must be {_described(known[key])}, not {value!r}")
    return kind(**values)


def _fill_each(kind: type, value: object, name: str, faults: list[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        faults.append(f"{name} must hold a table for each: [{name}.NAME]")
        return {}
    return {key: _fill(kind, item, f"{name}.{key}.", faults) for key, item in value.items()}


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
        _fill(kind, item, f"{name}[{number}].", faults) for number, item in enumerate(value, 1)
    )


def _fits(value: object, example: object) -> bool:
    if isinstance(value, bool) or isinstance(example, bool):
        return type(value) is type(example)
    return isinstance(value, type(example)) or (isinstance(example, float) and type(value) is int)


def _described(example: object) -> str:
    kinds = {str: "text", float: "a number", int: "a whole number", bool: "true or false"}
    return kinds.get(type(example), "a table")
