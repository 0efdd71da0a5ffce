"""`calmkb reflect --analysts`: progress and cost of the four analysts."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.text import counted, visible

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.reflect.analysts import AnalystRun, Report

_SHOWN = 3


def ask_analysts(kb: "KnowledgeBase") -> None:
    """Run the analysts; report the result and the cost of each on standard error."""
    from calmkb.kb.reflect.analysts import BATCH, analyse

    done = analyse(kb, _report)
    if not done.sessions:
        return
    click.echo(_sum(done), err=True)
    if len(done.sessions) == BATCH:
        click.echo(
            f"The oldest {BATCH} sessions were read; review them, then run it again.", err=True
        )


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
    return f"{insights} from {counted(sessions, 'session')}; {cost}."
