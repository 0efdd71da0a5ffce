"""What needs a person's approval: the programs of the analysts and agents, and all else."""

import hashlib
import os
import re
import shlex
from collections.abc import Iterator
from importlib.machinery import all_suffixes
from pathlib import Path, PurePath

from calmkb.config import AnalystSettings
from calmkb.kb.base.approvals import open_requests
from calmkb.kb.base.filtering import allowance_requests
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.own_records import session_request
from calmkb.kb.base.points import approvals_needed
from calmkb.kb.journal.continuation import pending_sessions
from calmkb.model.trust import TrustRequest

_SHELL = re.compile(r"[\s;&|()<>`$=,:'\"]+")
_TASKS = {
    "make": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", "Justfile", ".justfile"),
    **dict.fromkeys(("npm", "npx", "pnpm", "yarn", "bun"), ("package.json",)),
    **dict.fromkeys(("uv", "poetry"), ("pyproject.toml",)),
    "tox": ("tox.ini", "pyproject.toml"),
    "rake": ("Rakefile",),
    "mise": ("mise.toml", ".mise.toml"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
}
"""The files in which a runner of tasks finds what a name runs."""


def analysts_request(kb: KnowledgeBase) -> tuple[TrustRequest, ...]:
    """Return the approval that the configured analysts need; none for calmkb's own command."""
    command = kb.config.analysts.command
    if command == AnalystSettings().command:
        return ()
    reason = "`calmkb reflect --analysts` runs this program with what your sessions said"
    return (_request(kb, "analysts.command", command, reason, runs_here=False),)


def agent_request(kb: KnowledgeBase, name: str) -> tuple[TrustRequest, ...]:
    """Return the approval that the agent `name` needs; none where the settings do not name it."""
    settings = kb.config.agents.get(name)
    if settings is None:
        return ()
    reason = f"`calmkb run {name}` runs this program, and so does `calmkb run serve`"
    return (_request(kb, f"agents.{name}.command", settings.command, reason),)


def _request(
    kb: KnowledgeBase, subject: str, command: str, reason: str, *, runs_here: bool = True
) -> TrustRequest:
    top = kb.agent_folder.resolve() if not kb.is_personal else kb.environment.cwd
    files = dict.fromkeys(_files(command, kb.environment.cwd if runs_here else Path("/"), top))
    lines = [command, *(hashed(path, top) for path in files)]
    more = f"{reason}. What those files start or import from elsewhere is not covered"
    return TrustRequest("program", subject, more if files else reason, "\n".join(lines))


def _files(command: str, here: Path, top: Path) -> Iterator[Path]:
    """Yield every file that a word of the command could mean in the folder where it runs.

    A command such as `python tools/agent.py` stays the same when the file changes. Words are those
    of a shell line inside it too; each may be below a folder that another one names.
    """
    words = [
        word for word in dict.fromkeys(_words(command)) if "\0" not in word and len(word) < 999
    ]
    folders = [here, *(place for word in words if os.path.isdir(place := here / word))]  # noqa: PTH112
    named = {name for word in words for name in _TASKS.get(PurePath(word).name, ())}
    for folder in folders:
        for word in (*words, *named):
            for name in (word, f"{word.replace('.', '/')}.py", word.replace(".", "/")):
                place = Path(os.path.normpath(folder / name))
                if not Path(word).is_absolute() or place.is_relative_to(top):
                    yield from whole(place, top)


def _words(command: str) -> Iterator[str]:
    """Yield the words of a command, what stands behind a `=`, and the words inside a word."""
    try:
        words = shlex.split(command)
    except ValueError:  # it cannot be run, or is the inside of a shell line
        words = command.split()
    for word in words:
        yield word
        parts = _SHELL.sub(" ", word)
        if parts != word or len(parts.split()) > 1:
            yield from _words(parts)


def whole(place: Path, spared: Path) -> Iterator[Path]:
    """Yield a file, with the modules that one in Python can import; or all files of a folder.

    A folder that holds `spared`, as that of all the code does, is not taken whole.
    """
    if os.path.isfile(place):  # noqa: PTH113 - a Path raises on names that are too long
        yield place
        if place.suffix == ".py":
            yield from _files_below(place.parent, tuple(all_suffixes()))
    elif os.path.isdir(place) and not spared.resolve().is_relative_to(place.resolve()):  # noqa: PTH112
        yield from _files_below(place)


def _files_below(folder: Path, suffixes: tuple[str, ...] = ()) -> list[Path]:
    """Return a folder's files, those behind links too: of these suffixes, in importable folders."""
    found, seen = [], set()
    for at, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [one for one in folders if one not in ("__pycache__", ".git")
                      and (one.isidentifier() or not suffixes)]  # fmt: skip
        if (real := os.path.realpath(at)) in seen:  # a link to a folder above
            folders.clear()
            continue
        seen.add(real)
        found += [Path(at, name) for name in names if name.endswith(suffixes or "")]
    return sorted(found)


def hashed(path: Path, top: Path) -> str:
    """Return the file's name below `top` and the hash of what it holds."""
    name = os.path.relpath(path, top).replace(os.sep, "/")
    try:
        return f"file {name} sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}"
    except OSError:
        return f"file {name} cannot be read"


def all_requests(kb: KnowledgeBase) -> tuple[TrustRequest, ...]:
    """Return what the settings ask for, approved or not, and the hand-overs that are not approved.

    Those that this machine wrote ask for nothing. The memories of an export to the home are asked
    about where that export is made.
    """
    agents = (one for name in kb.config.agents for one in agent_request(kb, name))
    sessions = open_requests(kb, [session_request(entry) for entry in pending_sessions(kb)])
    return (
        *allowance_requests(kb),
        *analysts_request(kb),
        *agents,
        *approvals_needed(kb),
        *sessions,
    )
