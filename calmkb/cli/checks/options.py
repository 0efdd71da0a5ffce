"""Options of the commands that report findings."""

import click

from calmkb.cli.base.lazy import TableChoice

format_option = click.option(
    "--format",
    "form",
    type=TableChoice("calmkb.kb.checks.formats:FORMATS"),
    default="text",
    show_default=True,
    help="sarif: SARIF 2.1.0 for code scanning; github: annotations of a workflow.",
)
json_form = click.option("--json", "form", flag_value="json", help="Short for --format json.")
strict_option = click.option("--strict", is_flag=True, help="Exit 1 on warnings too.")
