"""A knowledge base's settings, and where it lies: every fault of a file at once."""

import re
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
    """Which files agents are told in, and how many tokens of it they read each time.

    `targets` are exporters, `file` the place of `claude-md` below the root.
    """

    targets: tuple[str, ...] = ("claude-md",)
    file: str = "CLAUDE.md"
    max_tokens: int = 1_500


@dataclass(frozen=True, slots=True)
class ReflectSettings:
    """How likeness is measured, and from where on it counts, 0 to 1 (see docs/reflection.md).

    A threshold of 0 is the method's own.
    """

    method: str = "tfidf"
    duplicate: float = 0.0
    theme: float = 0.0
    half_life_days: int = 180
    """Days without support after which a memory's support counts half (see docs/memory.md)."""


@dataclass(frozen=True, slots=True)
class AnalystSettings:
    """Which program answers for the analysts of `reflect --analysts`, and how long it may take.

    The question comes on its standard input; `{model}` in the command is replaced.
    """

    command: str = (
        'claude -p --model {model} --output-format json --tools "" --no-session-persistence'
    )
    model: str = "haiku"
    seconds: float = 180.0


@dataclass(frozen=True, slots=True)
class Allowed:
    """A pattern of whole values that are no secrets, and why."""

    pattern: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RedactSettings:
    """What the secret filter spares: each with its reason, for those who review the file."""

    allow: tuple[Allowed, ...] = field(default=(), metadata={"of": Allowed})


@dataclass(frozen=True, slots=True)
class Config:
    """What `calmkb.toml` or `[tool.calmkb]` may say."""

    project: str = ""
    journal: str = "journal"
    export: ExportSettings = field(default_factory=ExportSettings)
    reflect: ReflectSettings = field(default_factory=ReflectSettings)
    analysts: AnalystSettings = field(default_factory=AnalystSettings)
    redact: RedactSettings = field(default_factory=RedactSettings)


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
    listed = {f.name: f.metadata["of"] for f in fields(kind) if "of" in f.metadata}
    values = {}
    for key, value in table.items():
        if key not in known:
            choices = ", ".join(prefix + name for name in known)
            faults.append(f"{prefix}{key} is unknown; choose from: {choices}")
        elif key in listed:
            values[key] = _fill_list(listed[key], value, f"{prefix}{key}", faults)
        elif isinstance(known[key], tuple):
            values[key] = _texts(value, f"{prefix}{key}", faults)
        elif isinstance(value, dict) and not isinstance(known[key], (str, float, int)):
            values[key] = _fill(type(known[key]), value, f"{prefix}{key}.", faults)
        elif _fits(value, known[key]):
            values[key] = type(known[key])(value)
        else:
            faults.append(f"{prefix}{key} must be {_spoken(known[key])}, not {value!r}")
    return kind(**values)


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
    if isinstance(value, bool):
        return False
    return isinstance(value, type(example)) or (isinstance(example, float) and type(value) is int)


def _spoken(example: object) -> str:
    return {str: "text", float: "a number", int: "a whole number"}.get(type(example), "a table")


def _check(config: Config) -> list[str]:
    faults = []
    for name, value in (("journal", config.journal), ("export.file", config.export.file)):
        parts = PurePosixPath(value.replace("\\", "/"))
        if not value or parts.is_absolute() or ".." in parts.parts or ":" in value:
            faults.append(f"{name} is {value!r}; give a path inside the knowledge base")
    for name, level in (("duplicate", config.reflect.duplicate), ("theme", config.reflect.theme)):
        if not 0 <= level <= 1:
            faults.append(f"reflect.{name} is {level}; give a number from 0 to 1")
    if config.reflect.half_life_days < 1:
        days = config.reflect.half_life_days
        faults.append(f"reflect.half_life_days is {days}; give a number of days above 0")
    if not config.analysts.command.strip():
        faults.append("analysts.command is empty; name a program")
    if not 0 < config.analysts.seconds <= 3600:
        faults.append(f"analysts.seconds is {config.analysts.seconds:g}; give 1 to 3600")
    if config.export.max_tokens < 1:
        faults.append(f"export.max_tokens is {config.export.max_tokens}; give a number above 0")
    for number, item in enumerate(config.redact.allow, 1):
        faults += [f"redact.allow[{number}] {fault}" for fault in _faults_of(item)]
    return faults


def _faults_of(item: Allowed) -> list[str]:
    if not item.pattern or not item.reason.strip():
        return ['needs both: pattern = "…", reason = "why this is no secret"']
    try:
        re.compile(item.pattern)
    except re.error as error:
        return [f"pattern {item.pattern!r} is no regular expression: {error}"]
    return []
