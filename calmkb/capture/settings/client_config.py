"""The MCP server in other programs' settings files; every other byte stays as it was."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from calmkb.capture.settings.json_text import read_object, write_object
from calmkb.errors import CalmError

SERVER = "calmkb"


@dataclass(frozen=True, slots=True)
class Client:
    """An MCP client: its files below the home and below a project, and how a server is entered."""

    user_file: str
    project_file: str
    patch: Callable[[str, list[str], str], str]


def _json_under(key: str) -> Callable[[str, list[str], str], str]:
    """Return a patch that enters the server in the object `key` of a JSON file."""

    def patch(text: str, command: list[str], place: str) -> str:
        text = text if text.strip() else "{}\n"
        servers = read_object(text, place).get(key, {})
        if not isinstance(servers, dict):
            raise CalmError(f"{place}: {key} is not an object; fix it by hand first")
        entry = {"command": command[0], "args": command[1:]}
        known = servers.get(SERVER)
        wanted = (known | entry) if isinstance(known, dict) else entry
        if known == wanted:
            return text
        settings = read_object(text, place)
        settings.setdefault(key, {})[SERVER] = wanted
        return write_object(settings, text)

    return patch


def _toml(text: str, command: list[str], place: str) -> str:
    """Enter the server in a TOML file, its comments and order kept."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise CalmError(f"{place} is not TOML ({error}); fix it by hand first") from error
    servers = document.setdefault("mcp_servers", tomlkit.table(is_super_table=True))
    known = servers.get(SERVER)
    entry = known if known is not None else tomlkit.table()
    if entry.get("command") == command[0] and entry.get("args") == command[1:]:
        return text
    entry["command"], entry["args"] = command[0], command[1:]
    if known is None:
        servers[SERVER] = entry
    return tomlkit.dumps(document)


CLIENTS: dict[str, Client] = {
    "claude": Client(".claude.json", ".mcp.json", _json_under("mcpServers")),
    "codex": Client(".codex/config.toml", ".codex/config.toml", _toml),
    "cursor": Client(".cursor/mcp.json", ".cursor/mcp.json", _json_under("mcpServers")),
    "gemini": Client(".gemini/settings.json", ".gemini/settings.json", _json_under("mcpServers")),
    "vscode": Client(".config/Code/User/mcp.json", ".vscode/mcp.json", _json_under("servers")),
}


def config_file(name: str, *, home: Path, project: Path | None) -> Path:
    """Return the file of a client: the person's, or that of a project."""
    client = CLIENTS[name]
    return project / client.project_file if project else home / client.user_file
