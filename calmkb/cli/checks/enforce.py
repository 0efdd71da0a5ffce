"""`calmkb enforce`: a commit or a branch held against enforced memories, for hooks and CI."""

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.text import counted
from calmkb.cli.checks.options import format_option, json_form, strict_option


@click.command()
@click.option("--staged", is_flag=True, help="Look at what the next commit changes (the default).")
@click.option("--since", metavar="COMMIT", default="", help="Look at what HEAD changes since it.")
@format_option
@json_form
@strict_option
@click.pass_context
def enforce(context: click.Context, *, staged: bool, since: str, form: str, strict: bool) -> int:
    """Hold what is staged against the memories that this repository enforces; exit 1 if one blocks.

    Looks at files that may not be committed and text that may not be written. Which memories are
    enforced, and how, is in their records: calmkb agents enforce. Runs no program.
    """
    from calmkb.kb.checks.formats import FORMATS
    from calmkb.kb.enforce.changed_files import broken_by_changes

    if staged and since:
        raise click.UsageError("choose --staged or --since, not both")
    found = broken_by_changes(kb_from(context), since=since)
    if shown := FORMATS[form](found):
        click.echo(shown)
    if form == "text":
        click.echo(counted(len(found), "broken check"), err=True)
    serious = ("error", "warning") if strict else ("error",)
    return int(any(one.severity in serious for one in found))
