"""Sessions kept while nobody waits: the start of a session begins it, in a process of its own.

Little is loaded here at the top: the start of every session reads it.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from calmkb.hook import CHILD
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.jobs import failed_start_noted
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.local.choices import keeping

KEPT = "archive/.kept"  # below the state folder: touched when sessions were kept
_ENDED = "ended"


def session_started(kb: KnowledgeBase) -> None:
    """Begin to keep what has ended."""
    with failed_start_noted(kb.environment, "keep"):
        keep_ended(kb.environment)


def keep_ended(environment: Environment) -> bool:
    """Keep what has ended since sessions were last kept; False where nothing has.

    Where nothing was ever kept these are the sessions that have ended alone: a whole history is
    kept when a person asks for it. What a person removed is not kept again unless it goes on.
    OSError where no process can be started.
    """
    state = environment.state
    ended, kept = _changed(state / _ENDED), _changed(state / KEPT)
    if ended <= kept:
        return False
    removed_at = keeping(state).removed_at
    if kept:
        return begin_keeping(environment, after=removed_at)
    from calmkb.store.local.sessions import ended_sessions

    found = ended_sessions(state, environment.now().timestamp())
    paths = [Path(one.transcript) for one in found if one.ended_at > removed_at]
    return bool(paths) and begin_keeping(environment, paths)


def sessions_imported(environment: Environment, paths: Iterable[Path]) -> list[str]:
    """Keep the sessions that were imported, too, and say so; OSError where that cannot begin."""
    if not begin_keeping(environment, paths):
        return []
    return ["Keeping the sessions themselves in the background: calmkb agents keep --status"]


def begin_keeping(
    environment: Environment, paths: Iterable[Path] = (), *, after: float = 0
) -> bool:
    """Start a process that keeps what is new, or the sessions in `paths`; False where it is off.

    Of what is new, `after` leaves what was written to before; of over 5,000 `paths` the rest is
    new the next time: a system takes no more. OSError where it cannot be started.
    """
    choice = keeping(environment.own)
    if environment.env.get(CHILD) == "1" or not choice.on:
        return False
    from calmkb.system.detached import start_detached
    from calmkb.system.files import make_private_folder

    make_private_folder(environment.own)
    # Not in the repository: a module of its own must not be imported in place of ours.
    command = [sys.executable, "-m", "calmkb", "keep", "--vectors", f"--begun={choice.stamp}",
               f"--after={after}", "--", *list(map(str, paths))[:5_000]]  # fmt: skip
    start_detached(command, cwd=environment.own, env=environment.env)
    return True


def _changed(path: Path) -> float:
    """Return when a file or folder changed, 0 where there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
