"""`calmkb reflect`: review the proposals made of sessions, and decide what to keep."""

import sys
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.person import approver, no_person_because
from calmkb.cli.base.text import counted
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calmkb.cli.reflect.queue import Part
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.reflect.reflection import Pending, ReviewResult
    from calmkb.model import Decision

_UNDECIDED = "Nothing was decided, so nothing was written."


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
@click.option("--signals", is_flag=True, help="Ask about captured signals alone.")
@click.pass_context
def reflect(
    context: click.Context,
    as_json: bool,
    decisions: str | None,
    dry_run: bool,
    everything: bool,
    more: bool,
    analysts: bool,
    as_request: bool,
    only: tuple[str, ...],
    signals: bool,
) -> None:
    """Review what was learned: proposed memories, improvements and captured signals, in one queue.

    What you accept of the proposals becomes a memory, in one commit.

    As a file: `calmkb reflect --json > p.json`, fill in each "decision" with accept, reject or
    skip, then `calmkb reflect --apply p.json`. Where no person is at the terminal, these decisions
    are kept for one to confirm: the next `calmkb reflect` begins with them.
    """
    kb = kb_from(context)
    if signals:
        from calmkb.cli.reflect.signals import reflect_signals

        reflect_signals(
            kb, as_json=as_json, decisions=decisions, dry_run=dry_run,
            reviewer=approver(context, kb),
        )  # fmt: skip
        return
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    asking = terminal and not (as_json or no_person_because(context))
    if analysts:
        from calmkb.cli.reflect.analysts import ask_analysts

        ask_analysts(kb, person=asking)
    elif asking and not (decisions or dry_run or as_request):
        from calmkb.cli.reflect.analysts import offer_analysts

        offer_analysts(kb)
    if as_request:
        from calmkb.kb.base.points import taking_part

        for propose in taking_part("reflect_as_request"):
            propose(kb, only, everything=everything, dry_run=dry_run, as_json=as_json)
        return
    from calmkb.cli.reflect.queue import other_parts
    from calmkb.kb.reflect.reflection import pending

    waiting = pending(kb, everything=everything)
    if decisions:
        _apply(context, kb, waiting, decisions, as_json=as_json)
        return
    if as_json:
        from calmkb.cli.reflect.decisions_json import pending_json

        click.echo(pending_json(waiting))
        return
    others = other_parts(kb, approver(context, kb), more=more) if asking else []
    if not (waiting.entries or waiting.proposals.open or others):
        click.echo(_known(waiting) or "No unreflected sessions to process.")
    elif dry_run:
        _preview(waiting, others, more=more or everything)
    else:
        review_at_terminal(context, kb, waiting, more=more or everything, others=others)


def _apply(
    context: click.Context, kb: "KnowledgeBase", waiting: "Pending", source: str, *, as_json: bool
) -> None:
    """Apply the decisions of a file; without a person at the terminal, keep them for one."""
    from calmkb.cli.reflect.decisions_json import read_decisions, reflected_json
    from calmkb.kb.reflect.reflection import apply

    decisions = read_decisions(source, waiting)
    if no_person_because(context):
        _prepare(kb, waiting, decisions, as_json=as_json)
        return
    done = apply(kb, waiting, decisions, reviewed_by=approver(context, kb))
    warn(done.warning)
    click.echo(reflected_json(done) if as_json else _report(done))


def _prepare(
    kb: "KnowledgeBase", waiting: "Pending", decisions: "list[Decision]", *, as_json: bool
) -> None:
    """Keep decisions made without a person at the terminal, for one to confirm."""
    from calmkb.cli.reflect.decisions_json import prepared_json
    from calmkb.kb.reflect.saved_decisions import prepare_decisions

    kept = prepare_decisions(kb, waiting, decisions)
    if as_json:
        click.echo(prepared_json(kept))
        return
    click.echo(
        f"Prepared {counted(len(kept), 'decision')}; nothing is decided yet, because no person is "
        "at a terminal.\nTo confirm them, a person runs `calmkb reflect` in a terminal, reviews "
        "them, and types done."
    )


def _preview(waiting: "Pending", others: "Sequence[Part]", *, more: bool) -> None:
    from calmkb.cli.reflect.proposal_items import listed
    from calmkb.cli.review.loop import rows

    shown = waiting.proposals.open if more else waiting.shown
    click.echo(listed(shown) if shown else _nothing(waiting))
    click.echo(_known(waiting, len(shown)))
    for part in others:
        click.echo(rows(part))


def review_at_terminal(
    context: click.Context,
    kb: "KnowledgeBase",
    waiting: "Pending",
    *,
    more: bool = False,
    in_walk: bool = False,
    others: "Sequence[Part]" = (),
) -> None:
    """Ask at the terminal; a review that asked nothing, or decided nothing, writes nothing.

    In the walk of `start` the next step is asked about there.
    """
    from calmkb.cli.reflect.proposal_items import held_back
    from calmkb.cli.reflect.queue import Queue
    from calmkb.cli.reflect.review import ProposalReview
    from calmkb.cli.review.loop import review
    from calmkb.kb.reflect.reflection import apply
    from calmkb.kb.reflect.saved_decisions import in_force, save_acts, saved_acts

    if not (waiting.proposals.open or others):
        click.echo("\n".join(filter(None, [_nothing(waiting), _known(waiting)])))
        return
    _require_terminal(context)
    earlier = saved_acts(kb)
    prepared = in_force(earlier)
    shown = [p for p in waiting.proposals.open if more or p in waiting.shown or p.id in prepared]
    if (known := _known(waiting, len(shown))) and not in_walk:
        click.echo(hanging(known))
    kind = ProposalReview(
        shown, earlier, keep=lambda acts: save_acts(kb, acts), check=waiting.check
    )
    queue = Queue([kind, *others]) if others else kind
    finished = review(queue, held=held_back(waiting.proposals.held))
    said = [words for part in others if (words := part.close(done=finished))]
    decided = kind.held.in_order() if finished else []
    if not decided:
        said += [] if said and finished else [_UNDECIDED if finished else kind.left()]
    click.echo("\n".join(said), nl=bool(said))
    if not decided:
        return
    done = apply(kb, waiting, decided, reviewed_by=approver(context, kb))
    warn(done.warning)
    ids = {one.proposal_id for one in decided}
    left = sum(one.id not in ids for one in waiting.proposals.open)
    click.echo(hanging(_report(done, left=left, names_next=not in_walk)))


def _require_terminal(context: click.Context) -> None:
    reason = no_person_because(context)
    if reason or not sys.stdout.isatty():
        reason = reason or "the output is not a terminal"
        raise CalmError(
            f"a review needs a person at a terminal, and {reason}; to prepare one: calmkb reflect "
            "--json > FILE, fill in the decisions, then: calmkb reflect --apply FILE"
        )


def _nothing(waiting: "Pending") -> str:
    return f"Nothing worth a memory in {counted(len(waiting.entries), 'session')}."


def _known(waiting: "Pending", shown: int | None = None) -> str:
    from calmkb.cli.reflect.proposal_items import held_line

    known, away = len(waiting.proposals.known), len(waiting.proposals.rejected)
    lines = [f"{known} already known, not asked again."] if known else []
    lines += [f"{away} rejected before, no new evidence since."] if away else []
    lines += [f"{len(waiting.in_review)} wait in a pull request."] if waiting.in_review else []
    lines += list(filter(None, [held_line(waiting.proposals.held)]))
    later = len(waiting.proposals.open) - (len(waiting.proposals.open) if shown is None else shown)
    lines += [f"{later} more wait for the next time; see them with --more."] if later else []
    return "\n".join(lines)


def _report(done: "ReviewResult", *, left: int = 0, names_next: bool = True) -> str:
    lines = [
        "## Reflection Complete\n",
        f"- Sessions processed: {len(done.reflection.entries)}",
        f"- Memories created: {len(done.memories)}",
        *([f"- Memories with new evidence: {len(done.changed)}"] if done.changed else []),
        f"- Rejected: {len(done.reflection.rejected)}",
        f"- Logs deleted: {done.logs_deleted}",
    ]
    if left:
        lines.append(f"- Left for next time: {counted(left, 'proposal')}, with their sessions")
    if done.memories:
        lines += ["", "New memories:", *(f"- [{m.category}] {m.text}" for m in done.memories)]
    if replaced := [memory.supersedes for memory in done.memories if memory.supersedes]:
        lines += ["", f"Replaced: {', '.join(one[:8] for one in replaced)}"]
    if done.commit:
        lines += ["", f"Commit {done.commit[:8]}; undo it with: {done.undo}"]
    if done.memories and names_next:
        lines += ["", "Next: calmkb export"]
    return "\n".join(lines)
