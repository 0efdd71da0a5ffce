"""`calmkb keep`: sessions copied before their clients delete them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.text import counted

if TYPE_CHECKING:
    from calmkb.kb.archive.keep import Kept
    from calmkb.kb.base.environment import Environment

_SHOWN = 5


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--on/--off", "on", default=None, help="Keep sessions on this machine, or do not.")
@click.option("--limit", default="", metavar="SIZE", help="Room for them, such as 2GB.")
@click.option("--vectors", is_flag=True, help="Then make the vectors that a search by meaning "
              "needs, on one core; done in the background too.")  # fmt: skip
@click.option("--status", is_flag=True, help="Say what is kept, and where.")
@click.option("--remove", is_flag=True, help="Remove all that was kept, and its index.")
@click.option("--yes", is_flag=True, help="Do not ask before removing.")
@click.pass_context
def keep(
    context: click.Context,
    paths: tuple[Path, ...],
    on: bool | None,
    limit: str,
    vectors: bool,
    status: bool,
    remove: bool,
    yes: bool,
) -> None:
    """Copy the sessions of your agents before the clients delete them.

    Copies are filtered, compressed, on this machine alone and never in git; `calmkb search` finds
    every turn of them. A session's start does this in the background. PATHS are transcripts, or
    folders of them, in other places than the clients' own.
    """
    environment = kb_from(context, warns=False).environment
    if remove:
        _remove(context, environment, yes=yes)
    elif status:
        _show_state(environment)
    elif on is not None or limit:
        from calmkb.kb.archive.status import switch_keeping

        switch_keeping(environment, on=on, limit=limit)
        _show_state(environment)
    else:
        _keep(environment, paths, vectors=vectors)


def _keep(environment: "Environment", paths: tuple[Path, ...], *, vectors: bool) -> None:
    from calmkb.kb.archive.keep import files_below, keep

    done = keep(environment, files_below(paths) if paths else None)
    for line in done.left_out[:_SHOWN]:
        warn(line)
    if len(done.left_out) > _SHOWN:
        warn(f"and {len(done.left_out) - _SHOWN} more like these")
    if done.busy:
        click.echo("Sessions are being kept by another process at the moment.")
        return
    click.echo(", ".join(_parts(done)))
    click.echo("Find any turn of them: calmkb search WORDS")
    if vectors:
        from calmkb.kb.archive.meaning import make_vectors

        click.echo(f"{counted(make_vectors(environment), 'vector')} made")


def _parts(done: "Kept") -> list[str]:
    parts = [f"{counted(done.new, 'session')} kept, {done.grown} grown",
             counted(done.turns, "new turn")]  # fmt: skip
    if done.recovered:
        parts.append(f"prompts of {counted(done.recovered, 'deleted session')} recovered")
    if done.dropped:
        parts.append(f"{done.dropped} dropped to stay within the limit")
    return parts


def _show_state(environment: "Environment") -> None:
    from calmkb.kb.archive.status import archive_state

    state = archive_state(environment)
    kept, there = counted(state.sessions, "session"), counted(state.client_files, "transcript")
    click.echo(f"{'on' if state.on else 'off'}: {kept} kept in {state.folder}")
    click.echo(
        f"{_size(state.size)} of {_size(state.limit)}, index {_size(state.index_size)}; "
        f"{there} of clients on this machine"
    )
    for path in state.damaged:
        warn(
            f"{path} is damaged; what can still be read of it is found. If its client has the "
            "session, delete this file and run: calmkb keep"
        )


def _remove(context: click.Context, environment: "Environment", *, yes: bool) -> None:
    from calmkb.cli.base.person import require_person
    from calmkb.kb.archive.keep import remove_archive
    from calmkb.kb.archive.status import archive_state

    require_person(context, "removing kept sessions", "ask the person to do it")
    state = archive_state(environment)
    question = f"Remove {counted(state.sessions, 'session')} from {state.folder}?"
    if yes or confirm(question):
        count = remove_archive(environment)
        click.echo(f"Removed {counted(count, 'session')}; keep no more: calmkb keep --off")


def _size(count: int) -> str:
    value = float(count)
    for unit in ("B", "KB", "MB"):
        if value < 1024:
            return f"{value:.0f} {unit}"
        value /= 1024
    return f"{value:.1f} GB"
