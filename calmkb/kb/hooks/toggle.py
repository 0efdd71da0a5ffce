"""calmkb's hooks in Claude Code's settings: on, off, and how they stand."""

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmkb.capture.hooks.commands import QUEUED, queue_command, shell_command
from calmkb.capture.settings.hooks import Hook, as_plugin, our_hooks
from calmkb.capture.settings.patch import hooks_off, hooks_on, missing, ours_in, read_settings
from calmkb.capture.settings.status_line import has_status, status_off, status_on
from calmkb.capture.settings.warnings import plugin_enabled, warnings_of
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import Environment
from calmkb.kb.hooks.clients import Installed, install_mcp
from calmkb.kb.hooks.export import FLAG, SETTING
from calmkb.store.git.repository import find_repository
from calmkb.system.files import read_bytes, write_atomically
from calmkb.system.programs import find_program
from calmkb.system.safe_paths import follow_inside

_LIMIT = 64 * 1024 * 1024
_PROGRAM = "calmkb"
_START = "SessionStart"
_BOM = "\ufeff"  # which editors on Windows put first; it stays


@dataclass(frozen=True, slots=True)
class Switched:
    """The settings file, whether it had to change, where the old one is, and what to look at."""

    path: Path
    changed: bool
    backup: Path | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """Which of our hooks a settings file has, and which not."""

    path: Path
    present: tuple[str, ...]
    absent: tuple[str, ...]
    status_line: bool
    plugin: bool
    export: bool
    warnings: tuple[str, ...]


def switch_on(
    environment: Environment,
    *,
    project: bool = False,
    status_line: bool = False,
    export: bool | None = None,
) -> Switched:
    """Add the hooks that are not there; with `status_line` calmkb's status line too.

    `export` says whether the start of a session brings digests up to date; None leaves it as it is.
    """
    path = settings_file(environment, project=project)
    program = _program(environment, project=project)
    real = _real(environment, path, project=project)
    before = _read(path, real)
    if export is None:
        export = _exports(read_settings(before, str(path)))
    after = hooks_on(before, wanted_hooks(program, export=export), str(path))
    if status_line:
        after = status_on(after, program, str(path))
    return _written(
        path, real, before, after, _warnings(environment, read_settings(after, str(path)))
    )


def switch_off(environment: Environment, *, project: bool = False) -> Switched:
    """Take our hooks out, and our status line; a person's own status line stands again."""
    path = settings_file(environment, project=project)
    real = _real(environment, path, project=project)
    before = _read(path, real)
    after = hooks_off(status_off(before, str(path)), str(path))
    return _written(path, real, before, after, ())


def install_server(
    environment: Environment, client: str = "claude", *, project: bool = False, write: bool = True
) -> Installed:
    """Register the MCP server in a client's settings."""
    command = [*shlex.split(_program(environment, project=project)), "mcp"]
    return install_mcp(environment, client, command, project=project, write=write)


def state(environment: Environment, *, project: bool = False) -> State:
    """Tell how our hooks stand."""
    path = settings_file(environment, project=project)
    settings = read_settings(_read(path, _real(environment, path, project=project)), str(path))
    hooks = wanted_hooks(_PROGRAM)
    absent = missing(settings, hooks)
    return State(
        path=path,
        present=tuple(hook.label for hook in hooks if hook not in absent),
        absent=tuple(hook.label for hook in absent),
        status_line=has_status(settings),
        plugin=plugin_enabled(settings),
        export=_exports(settings) or environment.env.get(SETTING) == "1",
        warnings=_warnings(environment, settings),
    )


def settings_file(environment: Environment, *, project: bool) -> Path:
    """Return the person's settings file, or that of the repository around the folder."""
    if project:
        return _project_top(environment) / ".claude" / "settings.json"
    named = environment.env.get("CLAUDE_CONFIG_DIR")
    return (Path(named) if named else environment.home / ".claude") / "settings.json"


def wanted_hooks(program: str, *, export: bool = False) -> tuple[Hook, ...]:
    """Return our hooks; those that come often only queue, by the shell alone."""

    def command(event: str) -> str:
        if event in QUEUED:
            return queue_command(event)
        flag = f" {FLAG}" if export and event == _START else ""
        return f"{program} hook {event}{flag}"

    return our_hooks(command)


def plugin_hooks() -> str:
    """Return the text of the plugin's hooks.json: the same hooks, for any machine."""

    def command(event: str) -> str:
        return shell_command(event) if event in QUEUED else f"{_PROGRAM} hook {event}"

    return json.dumps(as_plugin(our_hooks(command)), indent=2) + "\n"


def _exports(settings: dict[str, Any]) -> bool:
    """Tell whether a hook of ours brings digests up to date."""
    return any(event == _START and FLAG in command.split() for event, command in ours_in(settings))


def _program(environment: Environment, *, project: bool) -> str:
    """Return what runs calmkb: by name in a file that others share, else where it lies."""
    if project:
        return _PROGRAM
    found = _on_path(environment, _PROGRAM)
    beside = Path(sys.executable).with_name(_PROGRAM)
    if found or beside.exists():
        return shlex.quote(found or str(beside))
    return f"{shlex.quote(sys.executable)} -m {_PROGRAM}"


def _on_path(environment: Environment, name: str) -> str | None:
    return find_program(name, environment.env.get("PATH"))


def _project_top(environment: Environment) -> Path:
    repository = find_repository(environment.cwd)
    return repository.top if repository else environment.cwd


def _real(environment: Environment, path: Path, *, project: bool) -> Path:
    """Return the file behind links, which stay links; a repository's may not lead out of it."""
    return follow_inside(path, _project_top(environment)) if project else path.resolve()


def _read(path: Path, real: Path) -> str:
    try:
        text = read_bytes(real, limit=_LIMIT).decode() if real.exists() else ""
    except UnicodeDecodeError as error:
        raise CalmError(f"{path} is not UTF-8; fix it by hand first") from error
    return text.removeprefix(_BOM)


def _written(
    path: Path, real: Path, before: str, after: str, warnings: tuple[str, ...]
) -> Switched:
    if after == before:
        return Switched(path, changed=False, backup=None, warnings=warnings)
    backup, data = None, after.encode()
    if real.exists():
        old = read_bytes(real, limit=_LIMIT)
        if old.decode().removeprefix(_BOM) != before:
            raise CalmError(f"{path} was changed by another program just now; try again")
        backup = real.with_name(real.name + ".bak")
        write_atomically(backup, old, mode=real.stat().st_mode & 0o777)
        data = _BOM.encode() + data if old.startswith(_BOM.encode()) else data
    write_atomically(real, data)
    return Switched(path, changed=True, backup=backup, warnings=warnings)


def _warnings(environment: Environment, settings: dict[str, Any]) -> tuple[str, ...]:
    return tuple(warnings_of(settings, lambda name: _on_path(environment, name) is not None))
