"""`calmkb start`: what the sessions on this machine teach, and what to do about it."""

import sys
import tempfile
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import Quit
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.person import no_person_because
from calmkb.cli.base.text import clip, counted, terminal_width

if TYPE_CHECKING:
    from calmkb.kb.start.histories import AgentHistory
    from calmkb.kb.start.preview import Preview

_SHOWN = 5


@click.command()
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Where the page of the first look goes; else a temporary folder.")  # fmt: skip
@click.option("--browser/--no-browser", default=True, help="Open the page, or only name it.")
@click.option("--all-projects", is_flag=True,
              help="In a repository: look at the sessions of all projects.")  # fmt: skip
@click.pass_context
def start(context: click.Context, page: Path | None, browser: bool, all_projects: bool) -> None:
    """Look at what your sessions teach, then choose what to keep.

    Finds the agents on this machine and skims their newest sessions; nothing but the page is
    written until you say yes. Then each step asks: keep the sessions, review the proposals, capture
    what comes next, export. Stop at any question; run it again to go on.
    """
    from calmkb.kb.start.histories import agent_histories
    from calmkb.kb.start.page import start_page, write_page
    from calmkb.kb.start.preview import preview

    kb = kb_from(context, warns=False)
    passed_over: list[str] = []
    histories = agent_histories(kb.environment, passed_over)
    for line in passed_over:
        warn(line)
    if not histories:
        click.echo(
            "No agent has left a session on this machine. After your next one: calmkb wrapup"
        )
        return
    click.echo("Found on this machine:\n" + _table(histories))
    found = preview(kb.environment, histories, all_projects=all_projects)
    place = page or Path(tempfile.mkdtemp(prefix="calmkb-page-")) / "index.html"
    write_page(start_page(histories, found), place)
    click.echo(_summary(found))
    click.echo(f"\nThe page with the evidence: {place}")
    reason = no_person_because(context)
    if browser and not reason and _has_browser(kb.environment.env):
        webbrowser.open(place.absolute().as_uri())
    if not found.sessions:
        return
    if reason:
        click.echo(f"Nothing else was written, because {reason}. To go on: calmkb start")
        return
    from calmkb.cli.start.steps import ask

    try:
        ask(context, found)
    except Quit:
        click.echo("You left. What you said yes to is done; to go on: calmkb start")


def _has_browser(env: Mapping[str, str]) -> bool:
    """Return whether a window can open: a browser for terminals would take the questions' place."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _table(histories: "Sequence[AgentHistory]") -> str:
    width = max(len(one.source) for one in histories)
    return "\n".join(f"  {one.source:{width}}  {_described(one)}" for one in histories)


def _described(one: "AgentHistory") -> str:
    text = (
        f"{counted(len(one.sessions), 'session')}, {one.oldest:%Y-%m-%d} to {one.newest:%Y-%m-%d}"
    )
    if not one.expiring:
        return text
    return (
        f"{text}; {one.expiring:,} will be deleted by the client within a week "
        f"(it keeps {one.kept_days} days)"
    )


def _summary(found: "Preview") -> str:
    left, width = found.left_out, terminal_width()
    where = f" of {found.project}" if found.project else ""
    lines = [f"\nRead {counted(len(found.sessions), 'session')}{where}."]
    lines += [f"Left out: {left}."] if left else []
    if found.themes:
        lines.append("\nWhat came up most:")
        lines += [
            f"  {counted(one.sessions, 'session'):>12}  {clip(one.title, width - 18)}"
            for one in found.themes[:_SHOWN]
        ]
    if found.proposals:
        lines.append(f"\nProposals, the best {min(_SHOWN, found.proposed)} of {found.proposed}:")
        lines += [f"  - {clip(one.text, width - 6)}" for one in found.proposals[:_SHOWN]]
    elif found.sessions:
        lines.append("\nNothing worth a memory was found in them.")
    return "\n".join(lines)
