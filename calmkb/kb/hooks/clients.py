"""The MCP server entered in a client's settings: once, with the old file kept beside."""

from dataclasses import dataclass
from pathlib import Path

from calmkb.capture.settings.client_config import CLIENTS, config_file
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import Environment
from calmkb.store.git.repository import find_repository
from calmkb.system.files import read_bytes, write_atomically
from calmkb.system.safe_paths import follow_inside

__all__ = ["CLIENTS", "Installed", "install_mcp"]
_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Installed:
    """The file, its text to be, where the old one is kept, and whether it had to change."""

    path: Path
    text: str
    backup: Path | None
    changed: bool


def install_mcp(
    environment: Environment, client: str, command: list[str], *, project: bool, write: bool = True
) -> Installed:
    """Enter `command` as the calmkb server of `client`, for the person or for this project.

    Raises CalmError on a file that is not what the client writes; it is left as it is.
    """
    repository = find_repository(environment.cwd) if project else None
    folder = (repository.top if repository else environment.cwd) if project else None
    path = config_file(client, home=environment.home, project=folder)
    real = follow_inside(path, folder) if folder else path.resolve()
    try:
        before = read_bytes(real, limit=_LIMIT).decode() if real.exists() else ""
    except UnicodeDecodeError as error:
        raise CalmError(f"{path} is not UTF-8; fix it by hand first") from error
    after = CLIENTS[client].patch(before, command, str(path))
    if after == before or not write:
        return Installed(path, after, None, after != before)
    backup = None
    if before:
        backup = real.with_name(real.name + ".bak")
        write_atomically(backup, before.encode(), mode=real.stat().st_mode & 0o777)
    write_atomically(real, after.encode())
    return Installed(path, after, backup, True)
