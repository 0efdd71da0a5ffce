"""Options of the commands that report findings."""

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
