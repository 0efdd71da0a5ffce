"""What an agent is told without anybody's further act: the places that a marker must not reach."""

import json
import os
from pathlib import Path

import anyio

from calmkb.export.targets.table import EXPORTERS
from poisoning.sandbox import Sandbox


def told(sandbox: Sandbox, folder: Path, *, mcp: bool = True) -> dict[str, str]:
    """Return place → text: digests of every target, the home's, a session's start, MCP."""
    places: dict[str, str] = {}
    before = _files(folder)
    for target in EXPORTERS:
        sandbox.calmkb(folder, "export", "--target", target)
    sandbox.calmkb(folder, "export", "--place", "user")
    for path, data in _files(folder).items():
        if before.get(path) != data:
            places[path] = data.decode(errors="replace")
    for own in (sandbox.home / ".claude").rglob("*.md"):
        places[f"~/{own.relative_to(sandbox.home)}"] = own.read_text(errors="replace")
    places["session start"] = sandbox.hook(folder, "SessionStart", source="startup")
    if mcp:
        places |= anyio.run(_over_mcp, sandbox, folder)
    return places


def where(marker: str, places: dict[str, str]) -> str:
    """Return the places that hold the marker, or nothing."""
    return ", ".join(place for place, text in places.items() if marker in text)


def _files(folder: Path) -> dict[str, bytes]:
    """Return the project's files but for git's own and the records."""
    found = {}
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", "journal")]
        for name in names:
            path = Path(at, name)
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


async def _over_mcp(sandbox: Sandbox, folder: Path) -> dict[str, str]:
    async with client_of(sandbox, folder) as client:
        digest = await client.read_resource("calmkb://digest")
        listed = await client.call_tool("list_memories", {"limit": 200})
        return {
            "MCP digest": "".join(getattr(part, "text", "") for part in digest.contents),
            "MCP list_memories": json.dumps(listed.structured_content),
        }


def client_of(sandbox: Sandbox, folder: Path):  # type: ignore[no-untyped-def]
    """Return a client of `calmkb agents mcp` in a process of its own; it offers no dialogue."""
    import sys

    from mcp import Client, StdioServerParameters

    return Client(
        StdioServerParameters(
            command=sys.executable, args=["-m", "calmkb", "mcp"], cwd=str(folder), env=sandbox.env
        )
    )
