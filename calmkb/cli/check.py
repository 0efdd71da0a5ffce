"""`calmkb check`: what is wrong with a knowledge base, for people and for CI."""

import click

from calmkb.cli.common import kb_from


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="sarif: SARIF 2.1.0 for code scanning; github: annotations of a workflow.",
)
@click.option("--strict", is_flag=True, help="Exit 1 on warnings too.")
@click.pass_context
def check(context: click.Context, *, form: str, strict: bool) -> int:
    """Report what a person should mend; exit 1 if there is any error."""
    from calmkb.documents.finding_formats import FORMATS
    from calmkb.kb.checks import check as look

    kb = kb_from(context)
    findings = look(kb)
    if shown := FORMATS[form](findings):
        click.echo(shown)
    count = len(findings)
    if form == "text":
        said = f"{count} problem{'' if count == 1 else 's'} in {kb.journal}"
        click.echo(said, err=bool(count))
    serious = ("error", "warning") if strict else ("error",)
    return int(any(finding.severity in serious for finding in findings))
