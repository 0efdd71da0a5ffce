"""The review of proposals at a terminal: what is asked, and what came of it."""

import sys
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.person import approver, no_person_because
from calmkb.cli.base.text import counted, from_home
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calmkb.cli.reflect.queue import Part
    from calmkb.cli.reflect.review import ProposalReview
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.reflect.reflection import Pending, ReviewResult
    from calmkb.model import Decision


def preview(
    kb: "KnowledgeBase", waiting: "Pending", others: "Sequence[Part]", *, more: bool
) -> None:
    """Print what would be asked about."""
    from calmkb.cli.review.loop import rows

    kind = _proposals(kb, waiting, more=more, in_walk=True)
    click.echo(rows(kind, full=True) or _nothing(waiting))
    click.echo(known(waiting, len(kind.items)))
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
    from calmkb.cli.review.loop import review

    if not (waiting.proposals.open or others):
        click.echo("\n".join(filter(None, [_nothing(waiting), known(waiting)])))
        return
    _require_terminal(context)
    kind = _proposals(kb, waiting, more=more, in_walk=in_walk)
    queue = Queue([kind, *others]) if others else kind
    finished = review(queue, held=held_back(waiting.proposals.held))
    said = [words for part in others if (words := part.close(done=finished))]
    decided = kind.held.in_order() if finished else []
    if not (decided or (said and finished)):
        said.append("Nothing was decided, so nothing was written." if finished else kind.left())
    click.echo("\n".join(said), nl=bool(said))
    if decided:
        done = applied(context, kb, waiting, decided)
        click.echo(hanging(report(done, names_next=not in_walk)))


def _proposals(
    kb: "KnowledgeBase", waiting: "Pending", *, more: bool, in_walk: bool
) -> "ProposalReview":
    """Return the review of those that are asked about: the best, and what is decided before."""
    from calmkb.cli.reflect.review import ProposalReview
    from calmkb.kb.reflect.saved_decisions import in_force, save_acts, saved_acts

    earlier = saved_acts(kb)
    prepared = in_force(earlier)
    shown = [p for p in waiting.proposals.open if more or p in waiting.shown or p.id in prepared]
    if (line := known(waiting, len(shown))) and not in_walk:
        click.echo(hanging(line))
    return ProposalReview(
        shown,
        earlier,
        keep=lambda acts: save_acts(kb, acts),
        check=waiting.check,
        here=kb.project.name,
    )


def applied(
    context: click.Context, kb: "KnowledgeBase", waiting: "Pending", made: "Sequence[Decision]"
) -> "ReviewResult":
    """Write what was decided, and warn of what went wrong beside that."""
    from calmkb.kb.reflect.reflection import apply

    done = apply(kb, waiting, made, reviewed_by=approver(context, kb))
    warn(done.warning)
    return done


def _require_terminal(context: click.Context) -> None:
    no_screen = "" if sys.stdout.isatty() else "the output is not a terminal"
    if reason := no_person_because(context) or no_screen:
        raise CalmError(
            f"a review needs a person at a terminal, and {reason}; to prepare one: calmkb reflect "
            "--json > FILE, fill in the decisions, then: calmkb reflect --apply FILE"
        )


def _nothing(waiting: "Pending") -> str:
    return f"Nothing worth a memory in {counted(len(waiting.entries), 'session')}."


def known(waiting: "Pending", shown: int | None = None) -> str:
    """Return what is not asked about now, and why; "" where nothing is."""
    from calmkb.cli.reflect.proposal_items import held_line

    met, away = len(waiting.proposals.known), len(waiting.proposals.rejected)
    lines = [f"{met} already known, not asked again."] if met else []
    lines += [f"{away} rejected before, no new evidence since."] if away else []
    lines += [f"{len(waiting.in_review)} wait in a pull request."] if waiting.in_review else []
    lines += list(filter(None, [held_line(waiting.proposals.held)]))
    later = len(waiting.proposals.open) - (len(waiting.proposals.open) if shown is None else shown)
    lines += [f"{later} more wait for the next time; see them with --more."] if later else []
    return "\n".join(lines)


def report(done: "ReviewResult", *, names_next: bool = True) -> str:
    """Return what came of a review."""
    lines = [
        "## Reflection Complete\n",
        f"- Sessions processed: {len(done.reflection.entries)}",
        f"- Memories created: {len(done.memories)}",
        *([f"- Memories with new evidence: {len(done.changed)}"] if done.changed else []),
        f"- Rejected: {len(done.reflection.rejected)}",
        f"- Logs deleted: {done.logs_deleted}",
    ]
    if done.left:
        lines.append(f"- Left for next time: {counted(done.left, 'proposal')}, with their sessions")
    if done.memories:
        lines += ["", "New memories:", *(f"- [{m.category}] {m.text}" for m in done.memories)]
    if replaced := [memory.supersedes for memory in done.memories if memory.supersedes]:
        lines += ["", f"Replaced: {', '.join(one[:8] for one in replaced)}"]
    if done.commit:
        lines += ["", f"Commit {done.commit[:8]}; undo it with: {from_home(done.undo)}"]
    if done.memories and names_next:
        lines += ["", "Next: calmkb export"]
    return "\n".join(lines)
