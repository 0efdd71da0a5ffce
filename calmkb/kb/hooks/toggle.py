"""calmkb's hooks in Claude Code's settings: on, off, and which are installed."""

import json
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmkb.capture.formats.claude import claude_home
from calmkb.capture.hooks.commands import QUEUED, program_command, queue_command, shell_command
from calmkb.capture.settings.hooks import Hook, as_plugin, our_hooks, task_of
from calmkb.capture.settings.patch import hooks_off, hooks_on, missing, ours_in, read_settings
from calmkb.capture.settings.status_line import has_status, status_off, status_on
from calmkb.capture.settings.warnings import plugin_enabled, still_captured, warnings_of
from calmkb.errors import CalmError
from calmkb.kb.base import points
from calmkb.kb.base.agent_folder import project_folder
from calmkb.kb.base.environment import Environment
from calmkb.kb.hooks.clients import Installed, SettingsFile, install_mcp, read_settings_file
from calmkb.kb.hooks.export import FLAG, SETTING
from calmkb.system.programs import find_program

_PROGRAM = "calmkb"
_START = "SessionStart"


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """The settings file, whether it had to change, where the old one is, and what to look at."""

    path: Path
    changed: bool
    backup: Path | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HookState:
    """Which of our hooks a settings file has, and which not."""

    path: Path
    present: tuple[str, ...]
    absent: tuple[str, ...]
    status_line: bool
    plugin: bool
    export: bool
    warnings: tuple[str, ...]


def switch_on(
    environment: Environment, *, project: bool = False, status_line: bool = False,
    export: bool | None = None,
) -> SettingsChange:  # fmt: skip
    """Add the hooks that are missing; with `status_line` calmkb's status line too.

    `export` says whether the start of a session updates the digests; None leaves it as it is.
    """
    file = _settings(environment, project=project)
    place, program = str(file.path), _program(environment, project=project)
    if export is None:
        export = _exports(read_settings(file.text, place))
    hooks = wanted_hooks(program, export=export)
    hooks += tuple(points.hooks_wanted(environment, program).values())
    after = hooks_on(file.text, hooks, place)
    if status_line:
        after = status_on(after, program, place)
    return _changed(file, after, _warnings(environment, read_settings(after, place)))


def switch_off(environment: Environment, *, project: bool = False) -> SettingsChange:
    """Remove our hooks and our status line; a person's own status line is restored."""
    file = _settings(environment, project=project)
    place = str(file.path)
    after = hooks_off(status_off(file.text, place), place)
    return _changed(file, after, tuple(still_captured(read_settings(after, place))))


def switch_wanted(environment: Environment, tasks: Iterable[str]) -> SettingsChange:
    """Have those hooks of `tasks` that are wanted in the person's own settings, and no other."""
    file = _settings(environment, project=False)
    place, program = str(file.path), _program(environment, project=False)
    wanted = points.hooks_wanted(environment, program)
    after = file.text
    for task in tasks:
        if task not in wanted:
            after = hooks_off(after, place, task=task)
    return _changed(file, hooks_on(after, tuple(wanted.values()), place) if wanted else after, ())


def absent_hooks(environment: Environment) -> bool:
    """Return whether the person's settings lack a hook that is wanted; CalmError on bad ones."""
    file = _settings(environment, project=False)
    wanted = points.hooks_wanted(environment, _PROGRAM)
    return bool(missing(read_settings(file.text, str(file.path)), tuple(wanted.values())))


def hooks_disabled(environment: Environment) -> Path | None:
    """Return the settings that switch all hooks off here; a clone's can. CalmError on bad ones."""
    home, top = claude_home(environment.home, environment.env), project_folder(environment)
    for folder, name in ((home, ""), (top / ".claude", ""), (top / ".claude", ".local")):
        path = folder / f"settings{name}.json"
        file = read_settings_file(path, within=None if folder == home else top)
        if read_settings(file.text, str(path)).get("disableAllHooks") is True:
            return path
    return None


def switch_hook(
    environment: Environment, path: Path, make: Callable[[str], Hook], *, on: bool
) -> SettingsChange:
    """Have a hook in the settings of a client that writes them as Claude Code does, or no more."""
    file, hook = read_settings_file(path, within=None), make(_program(environment, project=False))
    place, task = str(path), task_of(hook.handler["command"], hook.event)
    after = hooks_on(file.text, [hook], place) if on else hooks_off(file.text, place, task=task)
    return _changed(file, after, ())


def lacks_hook(path: Path, make: Callable[[str], Hook]) -> bool:
    """Return whether such settings lack a hook, or cannot be read."""
    try:
        settings = read_settings(read_settings_file(path, within=None).text, str(path))
    except CalmError:
        return True
    return bool(missing(settings, [make(_PROGRAM)]))


def has_hook(environment: Environment, event: str) -> bool:
    """Return whether the person's own settings have our hook of an event."""
    file = _settings(environment, project=False)
    return any(one == event for one, _ in ours_in(read_settings(file.text, str(file.path))))


def install_server(
    environment: Environment, client: str = "claude", *, project: bool = False, write: bool = True
) -> Installed:
    """Register the MCP server in a client's settings."""
    command = [*shlex.split(_program(environment, project=project)), "mcp"]
    return install_mcp(environment, client, command, project=project, write=write)


def hook_state(environment: Environment, *, project: bool = False) -> HookState:
    """Return which of our hooks are installed."""
    file = _settings(environment, project=project)
    path = file.path
    settings = read_settings(file.text, str(path))
    hooks = wanted_hooks(_PROGRAM)
    absent = missing(settings, hooks)
    return HookState(
        path=path, present=tuple(hook.label for hook in hooks if hook not in absent),
        absent=tuple(hook.label for hook in absent), status_line=has_status(settings),
        plugin=plugin_enabled(settings),
        export=_exports(settings) or environment.env.get(SETTING) == "1",
        warnings=_warnings(environment, settings),
    )  # fmt: skip


def _settings(environment: Environment, *, project: bool) -> SettingsFile:
    """Read the person's settings file, or that of the repository around the folder."""
    if project:
        top = project_folder(environment)
        return read_settings_file(top / ".claude" / "settings.json", within=top)
    folder = claude_home(environment.home, environment.env)
    return read_settings_file(folder / "settings.json", within=None)


def wanted_hooks(program: str, *, export: bool = False) -> tuple[Hook, ...]:
    """Return our hooks; those that come often only queue, by the shell alone."""

    def command(event: str) -> str:
        if event in QUEUED:
            return queue_command(event, program)
        flag = f" {FLAG}" if export and event == _START else ""
        return f"{program_command(event, program)}{flag}"

    return our_hooks(command)


def plugin_hooks() -> str:
    """Return the text of the plugin's hooks.json: the same hooks, for any machine."""

    def command(event: str) -> str:
        if event in QUEUED:
            return shell_command(event, program=_PROGRAM)
        return program_command(event, _PROGRAM)

    return json.dumps(as_plugin(our_hooks(command)), indent=2) + "\n"


def _exports(settings: dict[str, Any]) -> bool:
    """Whether a hook of ours updates the digests."""
    return any(event == _START and FLAG in command.split() for event, command in ours_in(settings))


def _program(environment: Environment, *, project: bool) -> str:
    """Return what runs calmkb: by name in a file that others share, else by its path."""
    if project:
        return _PROGRAM
    found = find_program(_PROGRAM, environment.env.get("PATH"))
    beside = Path(sys.executable).with_name(_PROGRAM)
    if found or beside.exists():
        return shlex.quote(found or str(beside))
    return f"{shlex.quote(sys.executable)} -P -m {_PROGRAM}"  # no module of the working folder


def _changed(file: SettingsFile, after: str, warnings: tuple[str, ...]) -> SettingsChange:
    after = after if after == file.text else file.as_it_was(after)
    if after == file.text:
        return SettingsChange(file.path, changed=False, backup=None, warnings=warnings)
    if after.strip() == "{}" and file.is_ours():
        file.remove()
        return SettingsChange(file.path, True, None, warnings)
    return SettingsChange(file.path, True, file.replace(after), warnings)


def _warnings(environment: Environment, settings: dict[str, Any]) -> tuple[str, ...]:
    path = environment.env.get("PATH")
    return tuple(warnings_of(settings, lambda name: find_program(name, path) is not None))
