"""Where signals were met, and how places of this machine are written."""

import re
from pathlib import Path

from calmkb.capture.formats.claude import claude_home
from calmkb.capture.formats.table import first_folder
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.projects import repository_at
from calmkb.model import Signal

_SESSION = re.compile(r"[\w-]{8,64}")


def shown(path: Path, environment: Environment) -> str:
    """Return a path as people write it: from `~` where it is below the home."""
    home, place = environment.home.resolve(), path.resolve()
    return f"~/{place.relative_to(home).as_posix()}" if place.is_relative_to(home) else str(place)


def placed(text: str, environment: Environment) -> Path:
    """Return the path that `shown` wrote."""
    return environment.home / text[2:] if text.startswith("~/") else Path(text)


def agent_folder(environment: Environment) -> Path:
    """Return the folder of the agent's own files."""
    return claude_home(environment.home, environment.env)


def project_at(folder: Path, environment: Environment) -> str:
    """Return the top of the repository around a folder, nothing where there is none."""
    repository = repository_at(folder, environment)
    return str(repository.top.resolve()) if repository else ""


class Places:
    """Finds the project of each signal: as it says, else as its session's transcript does."""

    def __init__(self, environment: Environment, here: str) -> None:
        self._environment, self._here = environment, here
        self._sessions: dict[str, str] = {}

    def project_of(self, signal: Signal) -> str:
        """Return the project's folder; the current one where nothing says."""
        named = next(
            (value for key in ("cwd", "project")
             if isinstance(value := signal.meta.get(key), str) and value.strip()), "",
        )  # fmt: skip
        named = named or self._folder_of(signal.session_id)
        # The filter writes the repository that a hook ran in by its name.
        if not named or named == Path(self._here).name:
            return self._here
        place = placed(named, self._environment)
        if not place.is_absolute():
            return named
        return project_at(place, self._environment) or ("" if place.is_dir() else str(place))

    def _folder_of(self, session: str) -> str:
        if session not in self._sessions:
            self._sessions[session] = self._from_transcript(session)
        return self._sessions[session]

    def _from_transcript(self, session: str) -> str:
        if not _SESSION.fullmatch(session):
            return ""
        folder = agent_folder(self._environment) / "projects"
        found = map(first_folder, sorted(folder.glob(f"*/{session}.jsonl")))
        return next(filter(None, found), "")
