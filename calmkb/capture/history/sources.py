"""Where agents keep their history, and what of it can be imported."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from calmkb.capture.formats.base import History, Stamp, codex_home, gemini_home
from calmkb.capture.formats.table import FORMATS, session_stamp
from calmkb.errors import TranscriptError


@dataclass(frozen=True, slots=True)
class _Inside(History):
    """Notes in folders whose name is of a form, but for those that an export put there."""

    inside: str = ""

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the notes."""
        return (
            path
            for path in super(_Inside, self).files(folder)
            if re.fullmatch(self.inside, path.parent.name) and not path.name.startswith("calmkb-")
        )


class _Placed(History):
    """Notes in the places that the pattern's globs name below the folder."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the notes."""
        found = (path for glob in self.pattern.split() for path in folder.glob(glob))
        return (path for path in found if path.is_file())


_CODE = (
    ".config/Code/User",
    "Library/Application Support/Code/User",
    "AppData/Roaming/Code/User",
    ".vscode-server/data/User",
)
"""Where VS Code keeps what is the user's: on Linux, macOS and Windows, and where it is remote."""


def _code_workspaces(home: Path, env: Mapping[str, str]) -> Path:
    places = [home / place / "workspaceStorage" for place in _CODE]
    return next((place for place in places if place.is_dir()), places[0])


_SESSIONS = [known.history for known in FORMATS.values() if known.history]
_CLAUDE = next(one for one in _SESSIONS if one.name == "claude")
_DAY = r"\d{4}-\d\d-\d\d"
_IN_REPOSITORY = "*/GitHub.copilot-chat/memory-tool/memories/repo/*.md"
_NOTES = [
    _Inside("auto-memory", _CLAUDE.folder, "*.md", "memory"),
    _Placed("codex-memory", lambda *here: codex_home(*here) / "memories", "MEMORY.md"),
    _Placed("gemini-memory", gemini_home, "tmp/*/memory/*.md GEMINI.md"),
    _Placed("copilot-memory", _code_workspaces, _IN_REPOSITORY),
    _Inside(
        "private-journal", lambda home, env: home / ".private-journal", "*.md", r"\d{4}-\d\d-\d\d"
    ),
]
SESSION_SOURCES = tuple(sorted(source.name for source in _SESSIONS))
SOURCES: dict[str, History] = {
    source.name: source for source in (*sorted(_SESSIONS, key=lambda one: one.name), *_NOTES)
}


def history_files(name: str, path: Path | None, home: Path, env: Mapping[str, str]) -> list[Path]:
    """Return the files of an agent's history, in path order; TranscriptError if there is no folder.

    A file that is named is taken as it is; `path` None means the agent's own place.
    """
    source = SOURCES[name]
    found: list[Path] = []
    for place in (path,) if path else source.places(home, env):
        if place.is_file():
            found.append(place)
            continue
        if not place.is_dir():
            raise TranscriptError(f"{place} does not exist; name the folder that holds the history")
        if not os.access(place, os.R_OK | os.X_OK):  # a search below it would find nothing
            raise TranscriptError(f"{place} cannot be read: permission denied; change its mode")
        found += source.files(place)
    return sorted(found)


def all_session_files(home: Path, env: Mapping[str, str]) -> tuple[list[Path], list[str]]:
    """Return the sessions of all agents here, and why an agent was passed over, a line for each."""
    found: list[Path] = []
    faults: list[str] = []
    for name in SESSION_SOURCES:
        try:
            if any(map(os.path.lexists, SOURCES[name].places(home, env))):
                found += history_files(name, None, home, env)
        except (TranscriptError, OSError) as error:
            faults.append(f"{name} was passed over: {error}")
    return found, faults


def session_transcript(session_id: str, *, home: Path, env: Mapping[str, str]) -> Path | None:
    """Return the transcript of a session, whichever agent and project it is of; None if gone.

    Every agent ends the name of its file with the session's id.
    """
    found = [
        (stamp.at, str(path), path)
        for path in all_session_files(home, env)[0]
        if not is_sub_agents(path) and f"-{path.stem}".endswith(f"-{session_id}")
        if (stamp := _stamp(path))
    ]
    return max(found)[2] if found else None


def _stamp(path: Path) -> Stamp | None:
    try:
        return session_stamp(path)
    except TranscriptError:  # none that anybody asked for
        return None


def is_sub_agents(path: Path) -> bool:
    """Return whether a file is a sub-agent's: it belongs to the session that called it."""
    return path.name.startswith("agent-") or "subagents" in path.parts
