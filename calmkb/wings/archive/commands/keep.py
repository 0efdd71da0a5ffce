"""`calmkb agents keep`, and its step of the first walk: sessions copied while clients have them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.text import counted, from_home, visible

if TYPE_CHECKING:
    from calmkb.kb.base.environment import Environment
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.wings.archive.verbs.keep import Kept
    from calmkb.wings.archive.verbs.status import ArchiveState

_SHOWN = 5


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--on/--off", "on", default=None, help="Keep sessions on this machine, or do not.")
@click.option("--limit", default="", metavar="SIZE", help="Room for them, such as 2GB.")
@click.option("--exclude", multiple=True, metavar="NAME|FOLDER",
              help="Keep none of this project or folder from now on, repeatable.")  # fmt: skip
@click.option("--include", multiple=True, metavar="NAME|FOLDER", help="Keep them again.")
@click.option("--vectors", is_flag=True, help="Then make the vectors that a search by meaning "
              "needs, on one core; done in the background too.")  # fmt: skip
@click.option("--status", is_flag=True, help="Say what is kept, and where.")
@click.option("--remove", is_flag=True, help="Remove all that was kept, and its index.")
@click.option("--yes", is_flag=True, help="Do not ask before removing.")
@click.option("--begun", hidden=True)  # of a process in the background: the stamp it began at
@click.option("--after", type=float, default=0, hidden=True)
@click.pass_context
def keep(
    context: click.Context,
    paths: tuple[Path, ...],
    on: bool | None,
    limit: str,
    exclude: tuple[str, ...],
    include: tuple[str, ...],
    vectors: bool,
    status: bool,
    remove: bool,
    yes: bool,
    begun: str | None,
    after: float,
) -> None:
    """Copy the sessions of your agents before the clients delete them.

    Copies are filtered, compressed, on this machine alone and never in git; `calmkb search` finds
    every turn of them. A session's start does this in the background. PATHS are transcripts, or
    folders of them, in other places than the clients' own.
    """
    if begun is not None:  # whatever the knowledge base here is
        from calmkb.kb.base.environment import process_environment

        _keep(process_environment(), paths, vectors=vectors, begun=begun, after=after)
        return
    environment = kb_from(context, warns=False).environment
    if remove:
        _remove(context, environment, yes=yes)
    elif status:
        _show_state(environment)
    elif on is not None or limit or exclude or include:
        from calmkb.wings.archive.verbs.status import switch_keeping

        switch_keeping(environment, on=on, limit=limit, exclude=exclude, include=include)
        _show_state(environment)
    else:
        _keep(environment, paths, vectors=vectors)


def _keep(
    environment: "Environment",
    paths: tuple[Path, ...],
    *,
    vectors: bool,
    begun: str | None = None,
    after: float = 0,
) -> None:
    from calmkb.wings.archive.verbs.keep import files_below, keep

    files = files_below(paths) if paths else None
    done = keep(environment, files, begun=begun, after=after)
    for lines in (done.faults, done.left_out):
        for line in lines[:_SHOWN]:
            warn(line)
        if len(lines) > _SHOWN:
            warn(f"and {len(lines) - _SHOWN} more like these")
    if done.busy:
        click.echo("Sessions are being kept by another process at the moment.")
        return
    if done.ended:
        click.echo("Ended: keeping was switched off, or what was kept was removed, meanwhile.")
        return
    click.echo(", ".join(_parts(done)))
    click.echo("Find any turn of them: calmkb search WORDS")
    if vectors:
        from calmkb.wings.archive.verbs.meaning import make_vectors

        click.echo(f"{counted(make_vectors(environment, begun), 'vector')} made")


def _parts(done: "Kept") -> list[str]:
    parts = [f"{counted(done.new, 'session')} kept, {done.grown} grown",
             counted(done.turns, "new turn")]  # fmt: skip
    if done.dropped:
        parts.append(f"{done.dropped} dropped to stay within the limit")
    return parts


def _show_state(environment: "Environment") -> None:
    from calmkb.kb.base.jobs import failure_words
    from calmkb.wings.archive.verbs.status import archive_state

    state = archive_state(environment)
    there = counted(state.client_files, "transcript")
    click.echo(_words(state))
    click.echo(
        f"{_size(state.size)} of {_size(state.limit)}, index {_size(state.index_size)}; "
        f"{there} of clients on this machine"
    )
    for one in state.excluded:
        click.echo(f"not kept: {visible(one)}")
    for path in state.damaged:
        warn(
            f"{path} is damaged; what can still be read of it is found. If its client has the "
            "session, delete this file and run: calmkb agents keep"
        )
    for line in state.faults:
        warn(line)
    if failed := failure_words(environment):
        warn(failed)


def state(kb: "KnowledgeBase") -> str:
    """Return whether sessions are kept, and how many are."""
    from calmkb.wings.archive.verbs.status import archive_state

    return _words(archive_state(kb.environment))


def _words(state: "ArchiveState") -> str:
    kept = counted(state.sessions, "session")
    return f"{'on' if state.on else 'off'}: {kept} kept in {from_home(Path(state.folder))}"


def _remove(context: click.Context, environment: "Environment", *, yes: bool) -> None:
    from calmkb.cli.base.person import require_person
    from calmkb.wings.archive.verbs.status import archive_state, remove_archive

    require_person(context, "removing kept sessions", "ask the person to do it")
    state = archive_state(environment)
    question = f"Remove {counted(state.sessions, 'session')} from {state.folder}?"
    if yes or confirm(question):
        count = remove_archive(environment)
        click.echo(f"Removed {counted(count, 'session')}; stop keeping: calmkb agents keep --off")


def _size(count: int) -> str:
    value = float(count)
    for unit in ("B", "KB", "MB"):
        if value < 1024:
            return f"{value:.0f} {unit}"
        value /= 1024
    return f"{value:.1f} GB"


def copy(step: Any, _: object) -> None:
    """Offer the copy of the transcripts, since clients delete theirs."""
    from calmkb.wings.archive.verbs.keep import keep
    from calmkb.wings.archive.verbs.status import archive_state

    environment = step.kb().environment
    state = archive_state(environment)
    if not state.on:
        step.say("Transcripts are not copied on this machine; copy them: calmkb agents keep --on")
        return
    if not state.not_kept:
        step.say(f"All {counted(state.client_files, 'transcript')} here are copied already.")
        return
    question = (
        f"Copy {counted(state.not_kept, 'transcript')}, of every project, before the clients "
        "delete them? "
        "An entry is a summary, in git; the copy is every turn, filtered, on this machine "
        "alone, and `calmkb search` finds it."
    )
    if step.yes(question):
        done = keep(environment)
        click.echo(f"Copied {counted(done.new + done.grown, 'session')}.")
        for line in done.left_out[:1]:
            more = len(done.left_out) - 1
            warn(f"{line}; {more} more: calmkb agents keep" if more else line)
