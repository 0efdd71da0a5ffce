"""An installed hook, asked as the client does."""

import json
import os
from pathlib import Path
from typing import Any

from tests.warm import in_shell


def ask_hook(home: Path, event: str, **payload: object) -> dict[str, Any]:
    """Return what the hook of an event answers; nothing where it prints nothing."""
    settings = json.loads((home / ".claude/settings.json").read_text())
    ((handler,),) = [group["hooks"] for group in settings["hooks"][event]]
    said = json.dumps({"hook_event_name": event, **payload}).encode()
    done = in_shell(handler["command"], said, env={**os.environ, "HOME": str(home)})
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
