"""`doctor` on the agents here: are the hooks installed, and what is about to be deleted?"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from calmkb.capture.formats.claude import claude_home
from calmkb.capture.formats.table import first_folder
from calmkb.capture.hooks.transcripts import is_automated
from calmkb.capture.settings.warnings import plugin_enabled
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.kb.journal.sessions import read_contents
from calmkb.store.local.notices import EXPORTS, read_notices

Level = Literal["ok", "warn", "fail"]
_KEPT_DAYS = 30
_WARNED_DAYS = 23
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Line:
    """What was looked at, its state as a message, and what fixes it if something does."""

    level: Level
    what: str
    said: str  # its name in the JSON that `doctor --json` prints
    fix: str = ""


def agent_lines(kb: KnowledgeBase) -> Iterator[Line]:
    """Yield the state of Claude Code's hooks, and of transcripts that it will soon delete."""
    folder = claude_home(kb.environment.home, kb.environment.env)
    if not folder.is_dir():
        yield Line("ok", "Claude Code", f"no {folder}: not used here")
        return
    yield _hooks(folder / "settings.json")
    yield from _digest(kb)
    yield _transcripts(kb, folder / "projects")


def _hooks(path: Path) -> Line:
    install = "install the calmkb plugin, or add its hooks to the settings"
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Line("warn", "hooks", f"none: {path} does not exist", install)
    except (OSError, ValueError, RecursionError) as error:
        return Line("fail", "hooks", f"{path} cannot be read: {error}", "fix its JSON by hand")
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    commands = list(_commands(hooks))
    ours = any("calmkb" in command for command in commands)
    by_plugin = isinstance(settings, dict) and plugin_enabled(settings)
    if ours and by_plugin:
        fix = "keep one of the two: calmkb agents hooks off, or claude plugin disable calmkb"
        return Line("warn", "hooks", f"installed in {path}, and the plugin is enabled too", fix)
    if ours:
        return Line("ok", "hooks", f"installed in {path}")
    if by_plugin:
        return Line("ok", "hooks", "the calmkb plugin is enabled and captures")
    return Line("warn", "hooks", f"no hook in {path} calls calmkb", install)


def _digest(kb: KnowledgeBase) -> Iterator[Line]:
    """Yield why the digest of this project was not updated when a session began, if it was not."""
    fault = read_notices(kb.environment.state, EXPORTS).get(kb.environment.cwd.name)
    if fault:
        fix = "see it with `calmkb export --diff`, move your lines out of the block, then export"
        yield Line("warn", "digest", f"not brought up to date at the last start: {fault}", fix)


def _commands(value: object) -> Iterator[str]:
    """Yield every `command` below the hooks, however deep the client nests them."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "command" and isinstance(item, str):
                yield item
            yield from _commands(item)
    elif isinstance(value, list):
        for item in value:
            yield from _commands(item)


def _transcripts(kb: KnowledgeBase, projects: Path) -> Line:
    now = kb.environment.now().timestamp()
    kept = {view.entry.session_id for view in read_contents(kb).sessions}
    known = SessionProjects(kb)
    ages = []
    for path in projects.glob("*/*.jsonl"):
        if path.name.startswith("agent-") or path.stem in kept:
            continue
        if not (kb.is_personal or known.is_own([first_folder(path)])):
            continue  # an import leaves it, so it waits for nothing here
        try:
            if not is_automated(path):
                ages.append(((now - path.stat().st_mtime) / _DAY, path))
        except OSError:
            continue  # deleted meanwhile
    old = sorted((item for item in ages if item[0] > _WARNED_DAYS), reverse=True)
    if not old:
        return Line("ok", "transcripts", f"{len(ages)} without an entry, none about to be deleted")
    oldest = datetime.fromtimestamp(old[0][1].stat().st_mtime, UTC)
    message = (
        f"{len(old)} of {len(ages)} without an entry are older than {_WARNED_DAYS} days "
        f"(the oldest of {oldest:%Y-%m-%d}); the client deletes after {_KEPT_DAYS}"
    )
    return Line("warn", "transcripts", message, "calmkb import claude")
