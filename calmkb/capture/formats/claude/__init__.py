"""Parts of Claude Code's format, which `capture.formats.claude_code` reads.

Read `turns` first: it joins blocks into turns; `speakers` tells people from the client.
"""

from collections.abc import Mapping
from pathlib import Path


def claude_homes(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the folders in which Claude Code keeps what is the user's: some name several."""
    named = env.get("CLAUDE_CONFIG_DIR")
    if not named:
        return home / ".claude", home / ".config" / "claude"
    parts = [part.strip() for part in ([named] if Path(named).exists() else named.split(","))]
    at_home = [str(home / part[2:]) if part.startswith("~/") else part for part in parts]
    return tuple(map(Path, filter(None, at_home))) or (Path(named),)


def claude_home(home: Path, env: Mapping[str, str]) -> Path:
    """Return the folder of the client's settings: the first that is there."""
    found = claude_homes(home, env)
    return next((place for place in found if place.is_dir()), found[0])
