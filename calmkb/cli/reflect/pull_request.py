"""`calmkb reflect --pr`: proposals to the team, as a branch and a pull request."""

import json
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.text import visible

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


def propose(
    kb: "KnowledgeBase", only: tuple[str, ...], *, everything: bool, dry_run: bool, as_json: bool
) -> None:
    """Push the proposals and say where they are reviewed; with `dry_run` show what would be."""
    from calmkb.kb.sharing.pull_requests import draft_request, propose_request

    draft = draft_request(kb, only=only, everything=everything, ask=not dry_run)
    if dry_run:
        click.echo(f"{draft.request.branch} -> {draft.request.base}: {draft.request.title}\n")
        click.echo(draft.request.body)
        return
    done = propose_request(kb, draft)
    warn(visible(done.opened.fault))
    if as_json:
        click.echo(json.dumps({
            "branch": done.branch,
            "url": done.opened.address or None,
            "opened": done.opened.by_gh,
            "memories": [{"id": m.id, "text": m.text} for m in done.memories],
        }, ensure_ascii=False))  # fmt: skip
        return
    count = len(done.memories)
    click.echo(f"Pushed {done.branch} with {count} proposal{'' if count == 1 else 's'}.")
    if done.opened.by_gh:
        click.echo(f"Pull request: {done.opened.address}")
    elif done.opened.address:
        click.echo(f"Open the pull request: {done.opened.address}")
    else:
        click.echo(f"Open a pull request from {done.branch} where your repository is hosted.")
    click.echo("Once it is merged or closed, calmkb sync records the outcome of it.")
