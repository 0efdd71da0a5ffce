"""`calmkb check`: what is wrong with a knowledge base."""

import click

from calmkb.cli.common import kb_from


@click.command()
@click.pass_context
def check(context: click.Context) -> int:
    """Report records that cannot be read or trusted; exit 1 if there are any."""
    from calmkb.kb.checks import check as look

    kb = kb_from(context)
    findings = look(kb)
    for finding in findings:
        click.echo(f"{finding.path}:{finding.line}: {finding.message}")
    count = len(findings)
    click.echo(f"{count} problem{'' if count == 1 else 's'} in {kb.journal}", err=bool(count))
    return 1 if findings else 0
