"""`calmkb reflect`: review the proposals made of sessions, and decide what to keep."""

import sys
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.person import approver, no_person_because, require_person
from calmkb.cli.base.text import counted, from_home, visible
from calmkb.cli.reflect.at_terminal import applied, known, preview, report, review_at_terminal
from calmkb.kb.base.points import taking_part

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.reflect.reflection import Pending
    from calmkb.model import Decision


@click.command()
@click.option(
    "--json", "as_json", is_flag=True, help="Print the proposals (or the result) as JSON."
)
@click.option("--apply", "decisions", metavar="FILE|-", help="Apply decisions from a JSON file.")
@click.option("--dry-run", is_flag=True, help="Show what would be proposed; change nothing.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Read every session, reviewed or not; include what is held back, with the reason.",
)
@click.option("--more", is_flag=True, help="Show every open proposal, not the best ten alone.")
@click.option(
    "--analysts", is_flag=True, help="Have four model-run analysts read the sessions first."
)
@click.option("--pr", "as_request", is_flag=True, help="Propose them as a pull request.")
@click.option("--only", multiple=True, metavar="ID", help="With --pr: this proposal; repeatable.")
@click.option("--dismiss", metavar="ID", help="Say that a trouble of the site is none.")
@click.option("--signals", is_flag=True, help="Ask about captured signals alone.")
@click.pass_context
def reflect(
    context: click.Context,
    /,
    decisions: str | None,
    everything: bool,
    more: bool,
    analysts: bool,
    as_request: bool,
    only: tuple[str, ...],
    dismiss: str | None,
    signals: bool,
    **how: bool,
) -> None:
    """Review what was learned: proposed memories, improvements and captured signals, in one queue.

    What you accept of the proposals becomes a memory, in one commit.

    As a file: `calmkb reflect --json > p.json`, fill in each "decision" with accept, reject or
    skip, then `calmkb reflect --apply p.json`. Where no person is at the terminal, these decisions
    are kept for one to confirm: the next `calmkb reflect` begins with them.
    """
    kb = kb_from(context)
    if dismiss:
        _dismiss(context, kb, dismiss)
        return
    if signals:
        from calmkb.cli.reflect.signals import reflect_signals

        reflect_signals(kb, decisions=decisions, reviewer=approver(context, kb), **how)
        return
    asking = not how["as_json"] and sys.stdout.isatty() and not no_person_because(context)
    if analysts or (asking and not (decisions or how["dry_run"] or as_request)):
        for read in taking_part("sessions_read_first"):
            read(kb, asked=analysts, person=asking)
    if as_request:
        for propose in taking_part("reflect_as_request"):
            propose(kb, only, everything=everything, **how)
    else:
        _reflect(context, kb, decisions, asking=asking, everything=everything, more=more, **how)


def _dismiss(context: click.Context, kb: "KnowledgeBase", name: str) -> None:
    from calmkb.kb.reflect.reflection import dismiss_trouble

    require_person(context, "dismissing a trouble", "ask the person to do it")
    gone, undo = dismiss_trouble(kb, name, reviewed_by=approver(context, kb))
    click.echo(hanging(f"Dismissed: {visible(gone.statement)}\nUndo it with: {from_home(undo)}"))


def _reflect(
    context: click.Context,
    kb: "KnowledgeBase",
    decisions: str | None,
    *,
    asking: bool,
    everything: bool,
    more: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    from calmkb.cli.reflect.decisions_json import pending_json
    from calmkb.cli.reflect.queue import other_parts
    from calmkb.kb.reflect.reflection import pending

    waiting = pending(kb, everything=everything)
    if decisions:
        _apply(context, kb, waiting, decisions, as_json=as_json)
        return
    if as_json:
        click.echo(pending_json(waiting))
        return
    others = other_parts(kb, approver(context, kb), more=more) if asking else []
    if not (waiting.entries or waiting.proposals.open or others):
        click.echo(known(waiting) or "No unreflected sessions to process.")
    elif dry_run:
        preview(kb, waiting, others, more=more or everything)
    else:
        review_at_terminal(context, kb, waiting, more=more or everything, others=others)


def _apply(
    context: click.Context, kb: "KnowledgeBase", waiting: "Pending", source: str, *, as_json: bool
) -> None:
    """Apply the decisions of a file; without a person at the terminal, keep them for one."""
    from calmkb.cli.reflect.decisions_json import read_decisions, reflected_json

    decisions = read_decisions(source, waiting)
    if no_person_because(context):
        _prepare(kb, waiting, decisions, as_json=as_json)
        return
    done = applied(context, kb, waiting, decisions)
    click.echo(reflected_json(done) if as_json else report(done))


def _prepare(
    kb: "KnowledgeBase", waiting: "Pending", decisions: "list[Decision]", *, as_json: bool
) -> None:
    """Keep decisions made without a person at the terminal, for one to confirm."""
    from calmkb.cli.base.json_io import json_text
    from calmkb.kb.reflect.saved_decisions import prepare_decisions

    kept = prepare_decisions(kb, waiting, decisions)
    if as_json:
        rows = [{"id": one.proposal_id, "decision": one.action} for one in kept]
        click.echo(json_text({"reflection": None, "prepared": rows}, indent=2))
        return
    click.echo(
        f"Prepared {counted(len(kept), 'decision')}; nothing is decided yet, because no person is "
        "at a terminal.\nTo confirm them, a person runs `calmkb reflect` in a terminal, reviews "
        "them, and types done."
    )
