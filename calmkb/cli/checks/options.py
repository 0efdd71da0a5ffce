"""Options of the commands that report findings, and how they report them."""

from collections.abc import Sequence
from typing import Any

import click

from calmkb.cli.base.lazy import TableChoice

format_option = click.option(
    "--format",
    "form",
    type=TableChoice("calmkb.kb.checks.formats:FORMATS"),
    default="text",
    show_default=True,
    help="github: annotations of a workflow.",
)
json_form = click.option("--json", "form", flag_value="json", help="Short for --format json.")
strict_option = click.option("--strict", is_flag=True, help="Exit 1 on warnings too.")


def report(
    findings: Sequence[Any], form: str, summary: str, *, strict: bool, aside: bool = False
) -> int:
    """Print findings, and as text their summary (`aside`: never among them); return the code."""
    from calmkb.kb.checks.formats import FORMATS

    if shown := FORMATS[form](findings):
        click.echo(shown)
    if form == "text":
        click.echo(summary, err=aside or bool(findings))
    serious = ("error", "warning") if strict else ("error",)
    return int(any(one.severity in serious for one in findings))
