"""`calmkb sync`: share what is here, get what others have."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.json_io import json_option, print_json

if TYPE_CHECKING:
    from calmkb.wings.sharing.verbs.sync import SyncResult


@click.command()
@click.option("--dry-run", is_flag=True, help="Fetch, and say what would be pulled and pushed.")
@json_option
@click.pass_context
def sync(context: click.Context, dry_run: bool, as_json: bool) -> None:
    """Pull what others recorded and push what waits here, without touching your own work."""
    from calmkb.wings.sharing.verbs.sync import sync_preview, sync_with_outcomes

    result = (sync_preview if dry_run else sync_with_outcomes)(kb_from(context))
    for path in result.synced.kept_both:
        warn(f"{path} was changed on both sides; both are kept, see: calmkb check")
    if as_json:
        print_json({**asdict(result.synced), "outcomes": result.outcomes, "dry_run": dry_run})
    else:
        click.echo("\n".join(_lines(result, dry_run=dry_run)))


def _lines(result: "SyncResult", *, dry_run: bool) -> list[str]:
    done = result.synced
    words = ("would pull", "push") if dry_run else ("pulled", "pushed")
    lines = [f"{done.remote}: {words[0]} {done.pulled:,}, {words[1]} {done.pushed:,}"]
    lines += [
        f"{one.branch}: {one.approved} approved, {one.rejected} rejected" for one in result.outcomes
    ]
    lines += [
        f"{one.branch}: gh is not installed or knows no such request, so boxes that were unticked "
        "there were not seen; retire what should not be kept: calmkb memory retire ID"
        for one in result.outcomes
        if one.unread
    ]
    if any(one.approved for one in result.outcomes):
        lines.append("Next: calmkb export")
    return lines
