"""A knowledge base's settings, and where it lies: every fault of a file at once."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any

from calmkb.errors import ConfigError

CONFIG_NAME = "calmkb.toml"
PYPROJECT = "pyproject.toml"
DEFAULT_ROOT = ".calm/kb"


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Where the digest goes, below the root."""

    file: str = "CLAUDE.md"


@dataclass(frozen=True, slots=True)
class ReflectSettings:
    """Similarity thresholds of the TF-IDF method, 0 to 1 (see docs/reflection.md)."""

    duplicate: float = 0.70
    theme: float = 0.30


@dataclass(frozen=True, slots=True)
class Config:
    """What `calmkb.toml` or `[tool.calmkb]` may say."""

    project: str = ""
    journal: str = "journal"
    export: ExportSettings = field(default_factory=ExportSettings)
    reflect: ReflectSettings = field(default_factory=ReflectSettings)


def find_root(*, option: str | None, env: Mapping[str, str], cwd: Path, home: Path) -> Path:
    """Return the knowledge base's folder, which need not exist yet.

    `--kb`, then CALMKB_KB, then the nearest folder up that has a configuration, then ~/.calm/kb.
    """
    named = option or env.get("CALMKB_KB")
    if named:
        return (cwd / Path(named).expanduser()).resolve()
    for folder in (cwd, *cwd.parents):
        if (folder / CONFIG_NAME).is_file() or _in_pyproject(folder) is not None:
            return folder
    return home / DEFAULT_ROOT


def load_config(root: Path) -> Config:
    """Return the settings of the knowledge base at `root`, defaults where it says nothing.

    Raises ConfigError naming all faults of the file.
    """
    path = root / CONFIG_NAME
    table = _read_toml(path) if path.is_file() else _in_pyproject(root)
    if table is None:
        return Config()
    faults: list[str] = []
    config = _fill(Config, table, "", faults)
    if not faults:
        faults += _check(config)
    if faults:
        where = path if path.is_file() else f"{root / PYPROJECT} [tool.calmkb]"
        raise ConfigError(f"{where}: " + "; ".join(faults))
    assert isinstance(config, Config)  # noqa: S101 - _fill makes what it is given
    return config


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
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as TOML: {error}") from error


def _fill(kind: type, table: Mapping[str, Any], prefix: str, faults: list[str]) -> Any:
    """Return a `kind` filled from `table`; what does not fit goes to `faults`."""
    defaults = kind()
    known = {f.name: getattr(defaults, f.name) for f in fields(kind)}
    values = {}
    for key, value in table.items():
        if key not in known:
            choices = ", ".join(prefix + name for name in known)
            faults.append(f"{prefix}{key} is unknown; choose from: {choices}")
        elif isinstance(value, dict) and not isinstance(known[key], (str, float)):
            values[key] = _fill(type(known[key]), value, f"{prefix}{key}.", faults)
        elif isinstance(value, type(known[key])) or (
            isinstance(known[key], float) and type(value) is int
        ):
            values[key] = type(known[key])(value)
        else:
            faults.append(f"{prefix}{key} must be {_spoken(known[key])}, not {value!r}")
    return kind(**values)


def _spoken(example: object) -> str:
    return {str: "text", float: "a number"}.get(type(example), "a table")


def _check(config: Config) -> list[str]:
    faults = []
    for name, value in (("journal", config.journal), ("export.file", config.export.file)):
        parts = PurePosixPath(value.replace("\\", "/"))
        if not value or parts.is_absolute() or ".." in parts.parts or ":" in value:
            faults.append(f"{name} is {value!r}; give a path inside the knowledge base")
    for name, level in (("duplicate", config.reflect.duplicate), ("theme", config.reflect.theme)):
        if not 0 < level <= 1:
            faults.append(f"reflect.{name} is {level}; give a number above 0, at most 1")
    return faults
