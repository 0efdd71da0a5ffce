"""`calmkb sync`: share what is here, get what others have."""

import click

from calmkb.cli.common import kb_from, warn


@click.command()
@click.pass_context
def sync(context: click.Context) -> None:
    """Pull what others recorded and push what waits here, without touching your own work."""
    from calmkb.kb.syncing import sync_kb

    done = sync_kb(kb_from(context))
    for path in done.kept_both:
        warn(f"{path} was changed on both sides; both are kept, see: calmkb check")
    click.echo(f"{done.remote}: {done.pulled} commits in, {done.pushed} out")
