"""`calmkb reflect --pr`: proposals to the team, as a branch and a pull request."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.json_io import print_json
from calmkb.cli.base.text import counted, visible

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


def propose(
    kb: "KnowledgeBase", only: tuple[str, ...], *, everything: bool, dry_run: bool, as_json: bool
) -> None:
    """Push the proposals and print where to review them; `dry_run` only shows them."""
    from calmkb.wings.sharing.verbs.pull_requests import draft_request, propose_request

    draft = draft_request(kb, only=only, everything=everything, ask=not dry_run)
    if dry_run:
        click.echo(f"{draft.request.branch} -> {draft.request.base}: {draft.request.title}\n")
        click.echo(draft.request.body)
        return
    opened, branch = propose_request(kb, draft), draft.request.branch
    warn(visible(opened.fault))
    if as_json:
        print_json({
            "branch": branch,
            "url": opened.address or None,
            "opened": opened.by_gh,
            "memories": [{"id": m.id, "text": m.text} for m in draft.memories],
        })  # fmt: skip
        return
    click.echo(f"Pushed {branch} with {counted(len(draft.memories), 'proposal')}.")
    if opened.by_gh:
        click.echo(f"Pull request: {opened.address}")
    elif opened.address:
        click.echo(f"Open the pull request: {opened.address}")
    else:
        click.echo(f"Open a pull request from {branch} into {draft.request.base}.")
    click.echo("Once it is merged or closed, calmkb sync records the outcome.")
