"""The review of proposals at a terminal: groups, numbers, boxes, and a prompt."""

import shutil
import textwrap
from collections.abc import Callable, Sequence

import click

from calmkb.cli.base.choices import read_line
from calmkb.cli.base.editor import edit_text
from calmkb.cli.base.text import counted
from calmkb.cli.reflect.review import HELP, Command, Review, apply, begin, grouped, new_words, parse
from calmkb.errors import CalmError
from calmkb.kb.text import show_invisible
from calmkb.model import Decision, Proposal

_BOXES = {"accept": "[x]", "reject": "[-]", "merge": "[+]", "skip": "[ ]"}
_SHOWN_EVIDENCE = 2


def ask(
    proposals: Sequence[Proposal],
    earlier: Sequence[Decision] = (),
    *,
    keep: Callable[[Sequence[Decision]], None],
    check: Callable[[Decision], None],
) -> list[Decision] | None:
    """Return the decisions of the person at the terminal, or None if they left.

    `earlier` were taken before; `keep` is called with all of them after each line, so that leaving
    loses nothing; `check` raises CalmError on one that cannot be applied.
    """
    review = begin(proposals, earlier)
    click.echo(screen(review))
    if review.decisions:
        click.echo(f"\nDecided before, and not yet written. {_tally(review)}")
    click.echo("\n" + HELP)
    while True:
        try:
            command = parse(read_line("reflect"), len(review.proposals))
            if command.verb == "quit":
                return None
            if command.verb == "done":
                return review.result()
            acted = _act(review, command)
            for decision in acted.result():
                check(decision)
        except CalmError as error:
            click.echo(str(error))
            continue
        if acted is not review:
            _show(review, acted)
            keep(acted.result())
        review = acted


def _act(review: Review, command: Command) -> Review:
    """Execute a command and show what changed."""
    if command.verb == "help":
        click.echo(HELP)
    elif command.verb == "view":
        for number in command.numbers:
            proposal = review.proposals[number - 1]
            click.echo("\n".join(_lines(review, number, proposal, full=True)))
    elif command.verb == "edit":
        for number in command.numbers:
            review = _edited(review, number)
    elif command.verb != "nothing":
        review = apply(review, command)
    return review


def _show(before: Review, after: Review) -> None:
    """Show the proposals that were decided otherwise, and the tally."""
    for number, proposal in enumerate(after.proposals, 1):
        if before.decisions.get(number) != after.decisions.get(number):
            click.echo("\n".join(_lines(after, number, proposal, full=False)))
    click.echo(f"\n{_tally(after)}")


def _edited(review: Review, number: int) -> Review:
    """Let the person reword a proposal; leaving the editor without a text changes nothing."""
    proposal = review.proposals[number - 1]
    try:
        text = edit_text(proposal.text + "\n").strip()
    except CalmError as error:
        click.echo(str(error))
        return review
    if not text:
        click.echo("an empty text was not taken")
        return review
    return review.decided([number], "accept", text=text)


def screen(review: Review, *, full: bool = False) -> str:
    """Return all proposals with their state; `full` shows every piece of evidence."""
    blocks = []
    for heading, pairs in grouped(review):
        lines = [click.style(heading, bold=True)]
        lines += [line for number, p in pairs for line in _lines(review, number, p, full)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _lines(review: Review, number: int, proposal: Proposal, full: bool) -> list[str]:
    decision = review.decisions.get(number)
    text = (decision.text if decision else "") or proposal.text
    box = _BOXES[review.state(number)]
    sessions = len({item.source for item in proposal.evidence})
    category = (decision.category if decision else None) or proposal.category
    about = f"{category}, {proposal.confidence} confidence, {show_invisible(proposal.scope)}"
    about += f", {counted(sessions, 'session')}"
    about += ", proposed by an agent" if proposal.waiting else ""
    about += f", only {', '.join(proposal.paths)}" if proposal.paths else ""
    about += f", cost {proposal.turns} turns" if proposal.turns else ""
    width = min(100, shutil.get_terminal_size((100, 24)).columns)
    head = textwrap.wrap(show_invisible(text), width=width - 9) or [""]
    lines = [f"{box} {number:3}. {head[0]}", *(f"{'':9}{line}" for line in head[1:])]
    lines.append(click.style(f"{'':9}{about}", dim=True))
    if decision and decision.action == "merge":
        lines.append(f"{'':9}merged into the memory {decision.into[:8]}")
    return [*lines, *_notes(proposal), *_evidence(proposal, full)]


def _notes(proposal: Proposal) -> list[str]:
    verdict, lines = proposal.verdict, []
    if proposal.held:
        text = f"held back: {show_invisible(proposal.held)}"
        lines.append(click.style(f"{'':9}! {text}", fg="yellow"))
    if proposal.contradicts:
        text = f"contradicts {show_invisible(proposal.contradicts)}"
        lines.append(click.style(f"{'':9}! {text}", fg="yellow"))
    if proposal.reasoning:
        lines.append(click.style(f"{'':9}~ {show_invisible(proposal.reasoning)}", dim=True))
    if verdict.kind == "new" and verdict.other:
        alike = f"resembles {verdict.other[:8]} ({verdict.similarity:.2f}): "
        lines.append(click.style(f"{'':9}~ {alike}{show_invisible(verdict.text)}", dim=True))
        if words := new_words(proposal.text, verdict.text):
            lines.append(click.style(f"{'':9}  new in it: {show_invisible(words)}", dim=True))
    if verdict.kind == "conflict":
        text = f"contradicts the memory {verdict.other[:8]}: {show_invisible(verdict.text)}"
        lines.append(click.style(f"{'':9}! {text} (accepting replaces it)", fg="yellow"))
    if verdict.approval:
        text = f"of that memory: {show_invisible(verdict.approval)}"
        lines.append(click.style(f"{'':9}! {text}", fg="yellow"))
    if proposal.rejected:
        lines.append(click.style(f"{'':9}! rejected before, {proposal.rejected}", fg="yellow"))
    return lines


def _evidence(proposal: Proposal, full: bool) -> list[str]:
    shown = proposal.evidence if full else proposal.evidence[:_SHOWN_EVIDENCE]
    lines = []
    for item in shown:
        quote = show_invisible(" ".join(item.quote.split()))
        quote = quote if full or len(quote) <= 120 else quote[:119] + "…"
        lines.append(f"{'':9}- {item.date}, {item.project} ({item.source[:8]}): {quote}")
    rest = len(proposal.evidence) - len(shown)
    return [*lines, f"{'':9}- and {rest} more"] if rest else lines


def _tally(review: Review) -> str:
    states = [review.state(number) for number in range(1, len(review.proposals) + 1)]
    return (
        f"{states.count('accept')} accepted, {_merges(states)}"
        f"{states.count('reject')} rejected, "
        f"{states.count('skip')} open (asked again next time). Type done to keep this."
    )


def _merges(states: Sequence[str]) -> str:
    merged = states.count("merge")
    return f"{merged} merged, " if merged else ""
