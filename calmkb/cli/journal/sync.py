"""`calmkb sync`: share what is here, get what others have."""

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.text import counted


@click.command()
@click.pass_context
def sync(context: click.Context) -> None:
    """Pull what others recorded and push what waits here, without touching your own work."""
    from calmkb.kb.sharing.sync import sync_with_outcomes

    result = sync_with_outcomes(kb_from(context))
    done, outcomes = result.synced, result.outcomes
    for path in done.kept_both:
        warn(f"{path} was changed on both sides; both are kept, see: calmkb check")
    click.echo(f"{done.remote}: {counted(done.pulled, 'commit')} in, {done.pushed:,} out")
    for one in outcomes:
        click.echo(f"{one.branch}: {one.approved} approved, {one.rejected} rejected")
    if any(one.approved for one in outcomes):
        click.echo("Next: calmkb export")
