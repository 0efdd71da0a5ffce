"""`calmkb uninit`: calmkb taken out of a repository."""

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.common import kb_from
from calmkb.cli.base.person import no_person_at_terminal
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError


@click.command()
@click.option("--dry-run", is_flag=True, help="Only show what would be taken out.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@click.pass_context
def uninit(context: click.Context, dry_run: bool, yes: bool) -> None:
    """Take calmkb out of this repository: settings, hooks, digests, the journal's work tree.

    What you changed yourself is kept and named. The records stay where they are.
    """
    from calmkb.kb.uninit.uninit import plan_removal, remove

    removal = plan_removal(kb_from(context, warns=False))
    for step in removal.steps:
        click.echo(visible(step.words))
    click.echo("\n" + visible("\n".join(removal.records)))
    if dry_run:
        return
    if not yes:
        if reason := no_person_at_terminal():
            raise CalmError(f"{reason}; say --yes to take all of this out")
        confirm("Take this out?", abort=True)
    remove(removal)
    click.echo("Done.")
