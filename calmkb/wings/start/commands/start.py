"""`calmkb start`: what the sessions on this machine teach, and what to do about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import Quit
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.person import no_person_because
from calmkb.cli.base.text import clip, counted, from_home, terminal_width

if TYPE_CHECKING:
    from calmkb.wings.start.verbs.histories import AgentHistory
    from calmkb.wings.start.verbs.preview import Preview

_SHOWN = 5
_NOBODY = "No agent has left a session on this machine. After your next one: calmkb wrapup"
_NONE = """\
To begin a journal here:   calmkb init
To look at every session:  calmkb start --all-projects"""


@click.command()
@click.option("--all-projects", is_flag=True,
              help="In a repository: look at the sessions of all projects.")  # fmt: skip
@click.pass_context
def start(context: click.Context, all_projects: bool) -> None:
    """Look at what your sessions teach, then choose what to keep.

    Finds the agents on this machine and skims their newest sessions; nothing is written until you
    say yes. Then steps ask: begin a journal, add the sessions, copy their transcripts, review
    the proposals, capture what comes next, export. Stop at any question; run it again to go on.
    """
    from calmkb.wings.start.verbs.histories import agent_histories
    from calmkb.wings.start.verbs.keeping import may_begin
    from calmkb.wings.start.verbs.preview import look_again, preview

    kb = kb_from(context, warns=False)
    passed_over: list[str] = []
    histories = agent_histories(kb.environment, passed_over)
    for line in passed_over:
        warn(line)
    if not histories:
        click.echo(_NOBODY)
        return
    click.echo(hanging("Found on this machine:\n" + _table(histories)))
    if kb.root.is_dir() and not may_begin(kb):
        found = look_again(kb, histories, all_projects=all_projects)
        new = counted(found.new or 0, "new session")
        click.echo(hanging(f"\n{new} for the journal in {from_home(kb.root)}."))
    else:
        found = preview(kb.environment, histories, all_projects=all_projects)
        click.echo(hanging(_summary(found)))
        if not found.sessions:
            click.echo(_NONE)
            return
    if reason := no_person_because(context):
        click.echo(f"Nothing was written, because {reason}. To go on: calmkb start")
        return
    from calmkb.wings.start.commands.steps import ask

    try:
        ask(context, found)
    except Quit:
        click.echo("You left. What you said yes to is done; to go on: calmkb start")


def _table(histories: "Sequence[AgentHistory]") -> str:
    width = max(len(one.source) for one in histories)
    return "\n".join(f"  {one.source:{width}}  {_described(one)}" for one in histories)


def _described(one: "AgentHistory") -> str:
    days = dict.fromkeys(f"{day:%Y-%m-%d}" for day in (one.oldest, one.newest))
    text = f"{counted(len(one.sessions), 'session')}, {' to '.join(days)}"
    if not one.expiring:
        return text
    return (
        f"{text}; {one.expiring:,} will be deleted by the client within a week "
        f"(it keeps {one.kept_days} days)"
    )


def _summary(found: "Preview") -> str:
    left, width = found.left_out, terminal_width()
    where = f" of {found.project}" if found.project else ""
    newest = "the newest " if found.is_part else ""
    lines = [f"\nRead {newest}{counted(len(found.sessions), 'session')}{where}."]
    lines += [f"Left out: {left}."] if left else []
    if found.themes:
        lines.append("\nWhat came up most:")
        lines += [
            f"  {counted(one.sessions, 'session'):>12}  {clip(one.statement, width - 18)}"
            for one in found.themes[:_SHOWN]
        ]
    if found.proposals:
        lines.append(f"\nProposals, the best {min(_SHOWN, found.proposed)} of {found.proposed}:")
        lines += [f"  - {clip(one.text, width - 6)}" for one in found.proposals[:_SHOWN]]
    elif found.sessions:
        lines.append("\nNothing worth a memory was found in them.")
    return "\n".join(lines)
