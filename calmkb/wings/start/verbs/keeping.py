"""What the first walk does: sessions kept as entries, the plugin installed."""

from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.projects import repository_at
from calmkb.kb.imports.history_import import import_history
from calmkb.kb.imports.request import BATCH, WRITTEN_BATCH, Imported, ImportRequest
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.journal.writing import Writer
from calmkb.store.caches.drafts import restore_drafts
from calmkb.system.programs import find_program
from calmkb.system.run_program import run_program
from calmkb.wings.start.verbs.preview import Preview

_SECONDS = 120.0


def may_begin(kb: KnowledgeBase) -> bool:
    """Return whether a repository is around the current folder that has no journal yet."""
    environment = kb.environment
    return kb.is_personal and repository_at(environment.cwd, environment) is not None


def new_sessions(kb: KnowledgeBase, found: Preview) -> int:
    """Return how many of the sessions looked at belong here and are not here yet."""
    if found.new is not None:
        return found.new
    known = {view.entry.session_id for view in read_contents(kb).sessions}
    own = None if kb.is_personal else kb.project
    looked_at = (view.entry for view in found.sessions)
    mine = {
        one.session_id for one in looked_at
        # Another repository may have the same name.
        if own is None or (one.repository or one.project_name) == (own.repository or own.name)
    }  # fmt: skip
    return len(mine - known)


def keep_sessions(
    kb: KnowledgeBase, found: Preview, writer: Writer | None = None
) -> list[Imported]:
    """Import the sessions that were looked at, and older ones; none is added twice.

    A repository's journal takes the sessions of that repository alone, whatever was looked at; the
    personal one takes those of the repository that was looked at, or all.
    """
    restore_drafts(kb.environment.state, found.drafts)
    return [
        import_history(
            kb,
            ImportRequest(
                source, files=paths, project=found.project if kb.is_personal else "",
                writer=writer,
                batch=WRITTEN_BATCH if writer else BATCH,
            ),
        )
        for source, paths in found.files.items()
    ]  # fmt: skip


def install_plugin(environment: Environment, folder: str) -> str:
    """Have Claude Code install the plugin in `folder`; CalmError with the commands if it cannot."""
    steps = (["plugin", "marketplace", "add", folder], ["plugin", "install", "calmkb@calmkb"])
    shown = "\n".join(f"  claude {' '.join(step)}" for step in steps)
    if find_program("claude", environment.env.get("PATH")) is None:
        raise CalmError(f"claude is not on PATH; where it is, run:\n{shown}")
    for step in steps:
        ended = run_program(
            ["claude", *step], "", cwd=Path(environment.home), env=environment.env, seconds=_SECONDS
        )
        if ended.fault or ended.code:
            output = " ".join((ended.fault or ended.complaint or ended.output).split())[-300:]
            raise CalmError(f"claude {' '.join(step)} failed: {output}; by hand:\n{shown}")
    return "Installed the plugin; it takes effect in the next session."
