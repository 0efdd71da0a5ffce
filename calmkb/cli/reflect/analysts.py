"""`calmkb reflect --analysts`: what is said while and after four programs read the sessions."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.text import visible

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.reflect.analysts import Analysed, Report

_SHOWN = 3


def ask_analysts(kb: "KnowledgeBase") -> None:
    """Ask the analysts and tell on standard error how each fared and what it cost."""
    from calmkb.kb.reflect.analysts import BATCH, analyse

    done = analyse(kb, _tell)
    if not done.sessions:
        return
    click.echo(_sum(done), err=True)
    if len(done.sessions) == BATCH:
        click.echo(
            f"The oldest {BATCH} sessions were read; review them, then run it again.", err=True
        )


def _tell(report: "Report") -> None:
    count = len(report.answer.insights)
    cost = f", ${report.answer.dollars:.4f}" if report.answer.dollars is not None else ""
    click.echo(
        f"{report.analyst}: {count} insight{'' if count == 1 else 's'} "
        f"in {report.seconds:.1f} s{cost}",
        err=True,
    )
    for fault in report.answer.faults[:_SHOWN]:
        warn(f"{report.analyst}: {visible(fault)}")
    if (more := len(report.answer.faults) - _SHOWN) > 0:
        warn(f"{report.analyst}: and {more} more")


def _sum(done: "Analysed") -> str:
    sessions = len(done.sessions)
    cost = "what it cost was not told" if done.dollars is None else f"cost ${done.dollars:.4f}"
    plural = "" if sessions == 1 else "s"
    return f"{len(done.insights)} insights into {sessions} session{plural}; {cost}."
