"""`calmkb hook EVENT`: what a client's settings run. Exits 0, and says only what was asked for."""

import contextlib
import io
import json
import os
import sys

import click


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("event", default="")
@click.option("--export", "export", is_flag=True, help="At a start: bring the digests up to date.")
def hook(event: str, export: bool) -> None:
    """Take what a client says of EVENT on standard input.

    \b
    PostToolUseFailure, SessionEnd, Stop   queued, then taken in
    PreCompact     keeps what the session taught so far
    SessionStart   says what was noticed before a compaction, or what was left to be continued
    """
    said = ""
    # The agent must go on whatever happens here: a full disk, a bug, ^C at its end.
    with contextlib.suppress(BaseException), contextlib.redirect_stderr(io.StringIO()):
        said = _handle(event, export=export)
    if said:
        answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": said}}
        with contextlib.suppress(OSError, ValueError):
            click.echo(json.dumps(answer))


def _handle(event: str, *, export: bool) -> str:
    from calmkb.hook import CHILD

    if os.environ.get(CHILD) == "1":
        return ""
    from calmkb.kb.base import process_world
    from calmkb.kb.hooking import handle

    return handle(process_world(), event, sys.stdin.buffer, export=export)
