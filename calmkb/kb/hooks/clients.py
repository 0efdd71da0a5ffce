"""Settings files of clients: read as text, changed with the old file kept as .bak."""

from dataclasses import dataclass
from json import dumps, loads
from pathlib import Path

from calmkb.capture.settings.client_config import CLIENTS, config_file
from calmkb.errors import CalmError
from calmkb.kb.base.agent_folder import project_folder
from calmkb.kb.base.environment import Environment
from calmkb.system.files import read_bytes, write_atomically
from calmkb.system.safe_paths import follow_inside

__all__ = ["CLIENTS", "Installed", "install_mcp"]
_LIMIT = 64 * 1024 * 1024
_BOM = "\ufeff"  # which editors on Windows put first; it stays


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file at `path`, `real` behind any links, and its text; `bom` is kept."""

    path: Path
    real: Path
    text: str
    bom: str

    def replace(self, text: str) -> Path | None:
        """Write `text` and return where the old file is kept, if there was one.

        Raises CalmError where another program changed the file since it was read.
        """
        backup = None
        if self.real.exists():
            old = self._as_read()
            backup = self._backup
            write_atomically(backup, old, mode=self.real.stat().st_mode & 0o777)
        write_atomically(self.real, (self.bom + text).encode())
        return backup

    def is_ours(self) -> bool:
        """Return whether calmkb made the file: it keeps a copy of one that it finds."""
        return not (self._backup.exists() or self.path.is_symlink())

    def remove(self) -> None:
        """Remove the file; CalmError where another program changed it since it was read."""
        self._as_read()
        self.real.unlink()

    def as_it_was(self, text: str) -> str:
        """Return the old file's own text where it says the same as `text`, else `text`."""
        try:
            old = read_bytes(self._backup, limit=_LIMIT).decode().removeprefix(_BOM)
            return old if dumps(loads(old.strip() or "{}")) == dumps(loads(text)) else text
        except (CalmError, OSError, ValueError):
            return text

    @property
    def _backup(self) -> Path:
        return self.real.with_name(self.real.name + ".bak")

    def _as_read(self) -> bytes:
        old = read_bytes(self.real, limit=_LIMIT)
        if old.decode(errors="replace") != self.bom + self.text:
            raise CalmError(f"{self.path} was changed by another program just now; try again")
        return old


@dataclass(frozen=True, slots=True)
class Installed:
    """The file, its text to be, where the old one is kept, and whether it had to change."""

    path: Path
    text: str
    backup: Path | None
    changed: bool


def read_settings_file(path: Path, *, within: Path | None) -> SettingsFile:
    """Read a settings file; links stay links, and a repository's may not lead out of `within`.

    Raises CalmError on a file that is not UTF-8.
    """
    real = follow_inside(path, within) if within else path.resolve()
    try:
        text = read_bytes(real, limit=_LIMIT).decode() if real.exists() else ""
    except UnicodeDecodeError as error:
        raise CalmError(f"{path} is not UTF-8; fix it by hand first") from error
    bom = _BOM if text.startswith(_BOM) else ""
    return SettingsFile(path, real, text.removeprefix(_BOM), bom)


def install_mcp(
    environment: Environment, client: str, command: list[str], *, project: bool, write: bool = True
) -> Installed:
    """Enter `command` as the calmkb server of `client`, for the person or for this project.

    Raises CalmError on a file that is not what the client writes; it is left as it is.
    """
    folder = project_folder(environment) if project else None
    path = config_file(client, home=environment.home, project=folder)
    file = read_settings_file(path, within=folder)
    after = CLIENTS[client].patch(file.text, command, str(path))
    changed = after != file.text
    backup = file.replace(after) if changed and write else None
    return Installed(path, after, backup, changed)
