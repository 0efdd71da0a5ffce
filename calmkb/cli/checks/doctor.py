"""`calmkb agents doctor`: diagnose this machine."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.json_io import print_json
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.text import counted, from_home

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@click.option("--fix", "fixing", is_flag=True, help="Repair what killed commands left.")
@click.pass_context
def doctor(context: click.Context, *, as_json: bool, fixing: bool) -> int:
    """Diagnose this machine and suggest fixes; exit 1 if anything fails.

    With --fix, unfinished writes are completed, locks that no process holds are removed after five
    minutes, and files that do not read are moved to .git/calmkb/broken.
    """
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.checks.doctor import diagnose, fix

    environment, option = process_environment(), context.find_root().params.get("kb")
    for done in fix(environment, option=option) if fixing else ():
        click.echo(f"fix   {done}", err=as_json)
    lines = diagnose(environment, option=option)
    if as_json:
        print_json({"findings": lines}, indent=2)
    for line in [] if as_json else lines:
        said = hanging(f"{line.level:4}  {line.what}: {from_home(line.said)}", column=6)
        click.echo(click.style(said[:4], fg=_COLOURS[line.level]) + said[4:])
        if line.fix and line.level != "ok":
            click.echo(hanging(f"      fix: {from_home(line.fix)}", column=11))
    if not as_json:
        click.echo(_verdict([line.level for line in lines]))
    return int(any(line.level == "fail" for line in lines))


def state(kb: "KnowledgeBase") -> str:
    """Return whether anything here needs a fix."""
    from calmkb.kb.checks.doctor import diagnose

    option = click.get_current_context().find_root().params.get("kb")
    levels = [line.level for line in diagnose(kb.environment, option=option)]
    ok = {*levels} <= {"ok"}
    return _verdict(levels) + ("" if ok else " See them: calmkb agents doctor")


def _verdict(levels: Sequence[str]) -> str:
    """Return the last line: whether anything needs a fix."""
    failed, warned = levels.count("fail"), levels.count("warn")
    if not failed and not warned:
        return "No problems found."
    words = [f"{failed:,} failed"] if failed else []
    return ", ".join([*words, *([counted(warned, "warning")] if warned else [])]) + "."
