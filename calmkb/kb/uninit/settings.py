"""The hooks in the project's own settings; those of a person hold for all projects and stay."""

from collections.abc import Iterator
from pathlib import Path

from calmkb.kb.base.environment import Environment
from calmkb.kb.hooks.clients import CLIENTS, project_folder
from calmkb.kb.hooks.toggle import hook_state, switch_off
from calmkb.kb.uninit.base import Step
from calmkb.kb.uninit.files import remove_file


def settings_steps(environment: Environment) -> Iterator[Step]:
    """Yield a step for the hooks of this project, and name the clients that start our server."""
    state = hook_state(environment, project=True)
    if state.present or state.status_line:

        def switch() -> None:
            changed = switch_off(environment, project=True)
            top = project_folder(environment)
            if changed.backup:
                remove_file(changed.backup, top)
            if changed.path.exists() and _is_empty(changed.path):
                remove_file(changed.path, top)

        yield Step(f"restore {state.path}, without calmkb's hooks", switch)
    for client in CLIENTS.values():
        path = project_folder(environment) / client.project_file
        if _names_us(path):
            yield Step(f"keep    {path}: it names calmkb's MCP server; remove that entry by hand")
    if hook_state(environment).present:
        yield Step("keep    your own hooks, which hold for every project: calmkb hooks off")


def _is_empty(path: Path) -> bool:
    return path.read_text(encoding="utf-8").strip() in ("", "{}")


def _names_us(path: Path) -> bool:
    try:
        return path.is_file() and "calmkb" in path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
