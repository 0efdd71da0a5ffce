"""`calmkb statusline`: what waits to be reviewed, for the client's status line; quick and quiet."""

import click

from calmkb.cli.base.quick import read_payload, status_parts

_SECONDS = 5


@click.command()
@click.option(
    "--with", "other", metavar="COMMAND", help="Another status line to stand before ours."
)
def statusline(other: str | None) -> None:
    """Say how many signals wait; nothing where none does. Reads what the client says of itself."""
    said = read_payload()
    parts = [_other(other, said) if other else "", *status_parts(said)]
    if line := " · ".join(part for part in parts if part):
        click.echo(line)


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
