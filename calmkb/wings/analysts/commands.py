"""`calmkb reflect --analysts`: progress and cost of the four analysts."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.common import warn
from calmkb.cli.base.text import counted, visible

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.wings.analysts.verbs import AnalystRun, Report

_SHOWN = 3


def read_first(kb: "KnowledgeBase", *, asked: bool, person: bool) -> None:
    """Have the analysts read the sessions where somebody `asked` for it, else offer it."""
    if asked:
        _ask_analysts(kb, person=person)
    else:
        _offer_analysts(kb)


def _ask_analysts(kb: "KnowledgeBase", *, person: bool) -> None:
    """Run the analysts round by round; report the result and the cost on standard error.

    Between rounds a person is asked; where none is there, it goes on while the cost is known and
    within the day's budget.
    """
    from calmkb.wings.analysts.plan import plan_analysts
    from calmkb.wings.analysts.verbs import analyse

    while True:
        done = analyse(kb, _report)
        if not done.sessions:
            return
        click.echo(_sum(done), err=True)
        left = plan_analysts(kb)
        if not left.sessions:
            return
        waiting = f"{counted(left.sessions, 'session')} not read yet"
        if person:
            if not confirm(f"{waiting}. Read the next ones?", default=True, err=True):
                return
        elif done.dollars is None or left.dollars >= left.budget:
            reason = "the cost is unknown" if done.dollars is None else "the budget is spent"
            click.echo(f"{waiting}, since {reason}; run it again to go on.", err=True)
            return


def _offer_analysts(kb: "KnowledgeBase") -> None:
    """Ask the person at the terminal whether a program of theirs should read the sessions first."""
    from calmkb.wings.analysts.plan import analysts_at_hand

    plan = analysts_at_hand(kb)
    if plan is None:
        return
    click.echo(
        f"{visible(plan.program)} ({kb.config.analysts.model}) can read "
        f"{counted(plan.sessions, 'session')} first, in "
        f"{counted(plan.rounds, 'round')} of four calls, at most {plan.tokens:,} tokens a round; "
        f"${plan.dollars:.2f} of ${plan.budget:.2f} spent today. Each finding must quote a "
        "session. Never ask: `offer = false` under [analysts].",
        err=True,
    )
    if confirm("Let it read them first?", default=False, err=True):
        _ask_analysts(kb, person=True)


def _report(report: "Report") -> None:
    cost = f", ${report.answer.dollars:.4f}" if report.answer.dollars is not None else ""
    click.echo(
        f"{report.analyst}: {counted(len(report.answer.insights), 'insight')} "
        f"in {report.seconds:.1f} s{cost}",
        err=True,
    )
    for fault in report.answer.faults[:_SHOWN]:
        warn(f"{report.analyst}: {visible(fault)}")
    if (more := len(report.answer.faults) - _SHOWN) > 0:
        warn(f"{report.analyst}: and {more} more")


def _sum(done: "AnalystRun") -> str:
    cost = "cost unknown" if done.dollars is None else f"cost ${done.dollars:.4f}"
    insights, sessions = counted(len(done.insights), "insight"), len(done.sessions)
    return f"{insights} from {counted(sessions, 'session')}; {cost}. Prompt {done.prompt_version}."
