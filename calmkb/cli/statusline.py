"""`calmkb statusline`: what waits to be reviewed, for the client's status line; quick and quiet."""

import contextlib
import sys
from pathlib import Path

import click

_SECONDS = 5


@click.command()
@click.option(
    "--with", "other", metavar="COMMAND", help="Another status line to stand before ours."
)
def statusline(other: str | None) -> None:
    """Say how many signals wait; nothing where none does. Reads what the client says of itself."""
    said = b""
    with contextlib.suppress(OSError, ValueError):
        said = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    parts = [_other(other, said) if other else "", _ours(), *_notices(said)]
    if line := " · ".join(part for part in parts if part):
        click.echo(line)


def _ours() -> str:
    import os

    from calmkb.hook import state_folder
    from calmkb.store.signals_pending import pending

    try:
        count = pending(Path(state_folder(os.environ)) / "signals.jsonl")
    except OSError:
        return ""
    return f"reflect: {count} pending" if count else ""


def _notices(said: bytes) -> list[str]:
    """Return what is to be looked at in the project that the client speaks of."""
    import json
    import os

    from calmkb.hook import state_folder
    from calmkb.store.notices import EXPORTS, NAME, read_notices

    state = Path(state_folder(os.environ))
    found = {"continue": read_notices(state, NAME), "export": read_notices(state, EXPORTS)}
    if not any(found.values()):
        return []
    try:
        told = json.loads(said or b"{}")
        place = told["workspace"]["project_dir"] if "workspace" in told else told["cwd"]
        project = Path(place).name
    except (ValueError, LookupError, TypeError):
        project = Path.cwd().name
    lines = {word: lines.get(project, "") for word, lines in found.items()}
    return [f"{word}: {line}" for word, line in lines.items() if line]


def _other(command: str, said: bytes) -> str:
    """Return what the other status line prints; a status line that fails is an empty one."""
    import subprocess  # two milliseconds that only --with need pay

    try:
        # The command is the person's own, as their settings had it: for a shell.
        done = subprocess.run(  # noqa: S602
            command, shell=True, input=said, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode(errors="replace").rstrip("\r\n")
