"""`calmkb doctor`: problems on this machine."""

import json
from dataclasses import asdict

import click

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@click.option("--fix", "fixing", is_flag=True, help="Repair what killed commands left; say what.")
@click.pass_context
def doctor(context: click.Context, *, as_json: bool, fixing: bool) -> int:
    """Report problems on this machine, each with its fix; exit 1 if anything fails.

    With --fix, unfinished writes are completed, locks that no process holds are removed after five
    minutes, and files that do not read are moved to .git/calmkb/broken.
    """
    from calmkb.kb.base.knowledge_base import process_world
    from calmkb.kb.checks.doctor import diagnose, fix

    world, option = process_world(), context.find_root().params.get("kb")
    for done in fix(world, option=option) if fixing else ():
        click.echo(f"fix   {done}", err=as_json)
    lines = diagnose(world, option=option)
    if as_json:
        click.echo(json.dumps([asdict(line) for line in lines], ensure_ascii=False, indent=2))
    for line in [] if as_json else lines:
        label = click.style(f"{line.level:4}", fg=_COLOURS[line.level])
        click.echo(f"{label}  {line.what}: {line.said}")
        if line.mend and line.level != "ok":
            click.echo(f"      mend: {line.mend}")
    return int(any(line.level == "fail" for line in lines))
