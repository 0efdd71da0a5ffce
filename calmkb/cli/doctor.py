"""`calmkb doctor`: what is amiss on this machine."""

import json
from dataclasses import asdict

import click

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@click.pass_context
def doctor(context: click.Context, *, as_json: bool) -> int:
    """Report what is amiss on this machine, with the mend; exit 1 if anything fails."""
    from calmkb.kb.base import process_world
    from calmkb.kb.doctor import diagnose

    lines = diagnose(process_world(), option=context.find_root().params.get("kb"))
    if as_json:
        click.echo(json.dumps([asdict(line) for line in lines], ensure_ascii=False, indent=2))
    for line in [] if as_json else lines:
        label = click.style(f"{line.level:4}", fg=_COLOURS[line.level])
        click.echo(f"{label}  {line.what}: {line.said}")
        if line.mend and line.level != "ok":
            click.echo(f"      mend: {line.mend}")
    return int(any(line.level == "fail" for line in lines))
