"""What a client runs itself: `calmkb hook EVENT`, which exits 0, and `calmkb statusline`."""

import os

import click

from calmkb.cli.base.quick import answer_hook, read_payload

_SECONDS = 5


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("event", default="")
@click.option("--export", "export", is_flag=True, help="On SessionStart: refresh the digests.")
def hook(event: str, export: bool) -> None:
    """Handle a hook event (called by the client); its JSON comes on standard input.

    \b
    PostToolUseFailure, SessionEnd, Stop   queues the event, then processes the queue
    PreCompact     captures signals of the session so far
    SessionStart   prints the signals captured before a compaction, or a pending continuation
    """
    answer_hook(event, export=export)


@click.command()
@click.option(
    "--with", "other", metavar="COMMAND", help="Another status line command to show before ours."
)
def statusline(other: str | None) -> None:
    """Print pending counts for a status line; nothing where nothing is pending.

    Reads the client's JSON on standard input, which names the project.
    """
    from calmkb.kb.status import status_parts

    payload = read_payload()
    parts = [_other(other, payload) if other else "", *status_parts(os.environ, payload)]
    if line := " · ".join(part for part in parts if part):
        click.echo(line)


def _other(command: str, payload: bytes) -> str:
    """Return what the other status line prints; a status line that fails is an empty one."""
    import subprocess  # two milliseconds that only --with need pay

    try:
        # The command is the person's own, as their settings had it: for a shell.
        done = subprocess.run(  # noqa: S602
            command, shell=True, input=payload, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode(errors="replace").rstrip("\r\n")
