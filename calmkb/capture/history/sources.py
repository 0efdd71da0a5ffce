"""Where agents keep their history, and what of it can be taken over."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import TranscriptError


@dataclass(frozen=True, slots=True)
class Source:
    """One agent's history: where it lies by default, and which files below a folder are of it."""

    default: Callable[[Path, Mapping[str, str]], Path]
    files: Callable[[Path], Iterator[Path]]


def _sessions(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*.jsonl") if path.is_file())


def _rollouts(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("rollout-*.jsonl") if path.is_file())


def _chats(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("session-*.jsonl") if path.is_file())


def _notes(folder: Path) -> Iterator[Path]:
    return (
        path for path in folder.rglob("*.md") if path.is_file() and path.parent.name == "memory"
    )


def _private(folder: Path) -> Iterator[Path]:
    day = re.compile(r"\d{4}-\d\d-\d\d")
    return (path for path in folder.rglob("*.md") if day.fullmatch(path.parent.name))


def _claude_home(home: Path, env: Mapping[str, str]) -> Path:
    return Path(env.get("CLAUDE_CONFIG_DIR") or home / ".claude")


SOURCES: dict[str, Source] = {
    "claude": Source(lambda home, env: _claude_home(home, env) / "projects", _sessions),
    "codex": Source(
        lambda home, env: Path(env.get("CODEX_HOME") or home / ".codex") / "sessions", _rollouts
    ),
    "gemini": Source(lambda home, env: home / ".gemini" / "tmp", _chats),
    "auto-memory": Source(lambda home, env: _claude_home(home, env) / "projects", _notes),
    "private-journal": Source(lambda home, env: home / ".private-journal", _private),
}


def history_files(name: str, path: Path | None, home: Path, env: Mapping[str, str]) -> list[Path]:
    """Return the files of an agent's history, in path order; TranscriptError if there is no folder.

    A file that is named is taken as it is; `path` None means the agent's own place.
    """
    source = SOURCES[name]
    place = path or source.default(home, env)
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise TranscriptError(f"{place} does not exist; name the folder that holds the history")
    return sorted(source.files(place))


def is_sub_agents(path: Path) -> bool:
    """Tell whether a file holds what a sub-agent did: it belongs to the session that called it."""
    return path.name.startswith("agent-") or "subagents" in path.parts
