"""`uninit`: calmkb taken out of a repository, to the byte; the records stay.

Each part says what it would do before anything is done, so that a person sees it all first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.agent_folder import agent_folder
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.hooks.clients import CLIENTS, project_folder
from calmkb.kb.hooks.toggle import hook_state, switch_off
from calmkb.kb.uninit.base import Step, file_steps, remove_file
from calmkb.kb.uninit.digests import digest_steps
from calmkb.kb.uninit.journal import journal_steps, where_records_are
from calmkb.store.git.repository import find_repository


@dataclass(frozen=True, slots=True)
class Removal:
    """What is taken out, in order, and where the records are afterwards."""

    steps: tuple[Step, ...]
    records: tuple[str, ...]


def plan_removal(kb: KnowledgeBase) -> Removal:
    """Return what would be taken out of the repository that one works in; nothing is changed.

    Raises CalmError where no journal belongs to it.
    """
    folder = agent_folder(kb)
    code = find_repository(folder)
    if kb.is_personal or code is None:
        raise CalmError(
            f"no journal belongs to {kb.environment.cwd}; go into the repository that has one"
        )
    kb.catch_up()
    here = kb.root.is_relative_to(code.top)
    in_work_tree = here and ".git" not in kb.root.relative_to(code.top).parts
    steps = [
        *digest_steps(kb),
        *_settings_steps(kb.environment),
        *(file_steps(kb) if in_work_tree else ()),
        *journal_steps(code, kb.environment.home),
    ]
    return Removal(tuple(steps), tuple(where_records_are(kb, code)))


def remove(removal: Removal) -> None:
    """Take all of it out; a removal that is interrupted can be begun again."""
    for step in removal.steps:
        if step.act:
            step.act()


def _settings_steps(environment: Environment) -> Iterator[Step]:
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
        yield Step("keep    your own hooks, which hold for every project: calmkb agents hooks off")


def _is_empty(path: Path) -> bool:
    return path.read_text(encoding="utf-8").strip() in ("", "{}")


def _names_us(path: Path) -> bool:
    try:
        return path.is_file() and "calmkb" in path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
