"""The two commands that clients run all the time, done before Click is loaded.

Click takes two interpreter starts to load, more than a status line's own work. Anything but the
plain form of these two (an option, a fault) is left to the full program, which should not wait for
what only they need.
"""

import contextlib
import os
import sys
from collections.abc import Sequence


def ran(args: Sequence[str]) -> bool:
    """Do what `args` say and return True, or False where the full program has to."""
    match args:
        case ["statusline"]:
            return _show_status()
        case ["hook", event, *flags] if event.isalnum() and set(flags) <= {"--export"}:
            answer_hook(event, export=bool(flags))
            return True
        case _:
            return False


def answer_hook(event: str, *, export: bool) -> None:
    """Do what a client's hook asks for; whatever goes wrong, the agent must go on."""
    import io
    import json

    text = ""
    # A full disk, a bug, ^C at its end: none of it may reach the agent.
    with contextlib.suppress(BaseException), contextlib.redirect_stderr(io.StringIO()):
        text = _handle(event, export=export)
    if text:
        answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
        with contextlib.suppress(OSError, ValueError):
            print(json.dumps(answer), flush=True)


def status_parts(payload: bytes) -> list[str]:
    """Return what waits for review, and what to look at in the project that the client names."""
    return [part for part in (_pending_signals(), *_notices(payload)) if part]


def read_payload() -> bytes:
    """Return what the client says of itself on standard input; nothing from a terminal."""
    with contextlib.suppress(OSError, ValueError):
        return b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    return b""


def _show_status() -> bool:
    try:
        if line := " · ".join(status_parts(read_payload())):
            print(line, flush=True)
    except Exception:
        return False  # the full program reports it
    return True


def _handle(event: str, *, export: bool) -> str:
    from calmkb.hook import CHILD

    if os.environ.get(CHILD) == "1":
        return ""
    from calmkb.kb.base.knowledge_base import process_environment
    from calmkb.kb.hooks.events import handle

    return handle(process_environment(), event, sys.stdin.buffer, export=export)


def _pending_signals() -> str:
    from pathlib import Path

    from calmkb.hook import state_folder
    from calmkb.store.signals.pending import pending

    try:
        count = pending(Path(state_folder(os.environ)) / "signals.jsonl")
    except OSError:
        return ""
    return f"reflect: {count} pending" if count else ""


def _notices(payload: bytes) -> list[str]:
    """Return what is to be looked at in the project that the client speaks of."""
    import json
    from pathlib import Path

    from calmkb.hook import state_folder
    from calmkb.store.local.notices import EXPORTS, NAME, read_notices

    state = Path(state_folder(os.environ))
    found = {"continue": read_notices(state, NAME), "export": read_notices(state, EXPORTS)}
    if not any(found.values()):
        return []
    try:
        said = json.loads(payload or b"{}")
        place = said["workspace"]["project_dir"] if "workspace" in said else said["cwd"]
        project = Path(place).name
    except (ValueError, LookupError, TypeError):
        project = Path.cwd().name
    lines = {word: lines.get(project, "") for word, lines in found.items()}
    return [f"{word}: {line}" for word, line in lines.items() if line]
