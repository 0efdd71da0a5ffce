"""The two commands that clients run all the time, done before Click is loaded.

Click takes two interpreter starts to load, more than a status line's own work. Anything but the
plain form of these two (an option, a fault) is left to the full program. Imports that only one of
them needs are made where they are used.
"""

import contextlib
import os
import sys
from collections.abc import Sequence


def ran(args: Sequence[str]) -> bool:
    """Run the command and return True, or False where the full program has to."""
    match args:
        case ["statusline"]:
            return _show_status()
        case ["hook", event, *flags] if event.isalnum() and set(flags) <= {"--export"}:
            answer_hook(event, export=bool(flags))
            return True
        case _:
            return False


def answer_hook(event: str, *, export: bool) -> None:
    """Handle a client's hook event; whatever goes wrong, the agent must go on."""
    import io
    import json

    answer = {}
    # A full disk, a bug, ^C at its end: none of it may reach the agent.
    with contextlib.suppress(BaseException), contextlib.redirect_stderr(io.StringIO()):
        answer = _handle(event, export=export)
    if answer:
        with contextlib.suppress(OSError, ValueError):
            print(json.dumps(answer), flush=True)


def read_payload() -> bytes:
    """Return the client's input on standard input; nothing from a terminal."""
    from calmkb.hook import chunks

    with contextlib.suppress(OSError, ValueError):
        return b"" if sys.stdin.isatty() else b"".join(chunks(sys.stdin.buffer))
    return b""


def _show_status() -> bool:
    try:
        from calmkb.kb.status import status_parts

        if line := " · ".join(status_parts(os.environ, read_payload())):
            print(line, flush=True)
    except Exception:
        return False  # the full program reports it
    return True


def _handle(event: str, *, export: bool) -> dict[str, object]:
    """Return what the client reads: context for its agent, a line for the person, or neither."""
    import io

    from calmkb.hook import CHILD, chunks, has_state_folder

    is_quiet = os.environ.get(CHILD) == "1" and event not in ("PreToolUse", "StopCheck")
    if is_quiet or not has_state_folder(os.environ):
        return {}
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.points import hook_answer

    given = io.BytesIO(b"".join(chunks(sys.stdin.buffer)))
    found = hook_answer(process_environment(), event, given)
    if found is None:
        from calmkb.kb.hooks.events import handle

        found = handle(process_environment(), event, given, export=export)
    if found.denied and event != "PreToolUse":  # the end of a turn
        return {"decision": "block", "reason": found.denied}
    if found.denied:
        denied = {"permissionDecision": "deny", "permissionDecisionReason": found.denied}
        return {"hookSpecificOutput": {"hookEventName": event, **denied}}
    answer: dict[str, object] = {"systemMessage": found.message} if found.message else {}
    if found.context:
        name = "Stop" if event == "WrapupCheck" else event
        context = {"hookEventName": name, "additionalContext": found.context}
        answer["hookSpecificOutput"] = context
    return answer
