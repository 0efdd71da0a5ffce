"""An installed hook, asked as the client does."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any


def ask_hook(home: Path, event: str, **payload: object) -> dict[str, Any]:
    """Return what the hook of an event answers; nothing where it prints nothing."""
    settings = json.loads((home / ".claude/settings.json").read_text())
    ((handler,),) = [group["hooks"] for group in settings["hooks"][event]]
    done = subprocess.run(
        ["sh", "-c", handler["command"]], input=json.dumps({"hook_event_name": event, **payload}),
        capture_output=True, text=True, check=False, env={**os.environ, "HOME": str(home)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
