"""`calmkb agents trust`: what a repository asks for, what you allowed, and revoking it."""

import click

from calmkb.cli.base.choices import ask, described
from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import fields_named, json_option, print_json
from calmkb.cli.base.person import no_person_at_terminal
from calmkb.cli.base.text import counted, from_home, visible
from calmkb.errors import CalmError
from calmkb.kb.base.approvals import (
    approve,
    grants,
    is_approved,
    open_requests,
    revoke_all,
    revoke_grants,
)
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.trust.programs import all_requests
from calmkb.model.trust import Grant


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the hashes for CI.")
@click.pass_context
def trust(context: click.Context, as_json: bool) -> None:
    """Show what this repository asks for, and allow or revoke it.

    A repository's settings may name things, choose files inside the repository and set limits.
    Running a program, exempting values from the secret filter and putting its text before an agent
    need your approval. It holds on this machine, for the content shown; a change asks again.
    """
    if context.invoked_subcommand is None:
        _show(context, as_json)


def _show(context: click.Context, as_json: bool) -> None:
    kb = kb_from(context)
    asked = all_requests(kb)
    states = [is_approved(kb, one) for one in asked]
    if as_json:
        rows = [fields_named(one, "kind", "subject", "reason", "content", "sha256")
                | {"allowed": ok} for one, ok in zip(asked, states, strict=True)]  # fmt: skip
        print_json({"requests": rows}, indent=2)
        return
    if not asked:
        click.echo(f"{from_home(kb.root)} asks for nothing that needs your approval.")
        return
    for one, ok in zip(asked, states, strict=True):
        state = click.style("allowed", fg="green") if ok else click.style("not allowed", fg="red")
        click.echo(f"{described(one)}\n  {state} on this machine\n")
    if not all(states):
        click.echo("Review and allow them in a terminal with: calmkb agents trust allow")


@trust.command()
@click.argument("hashes", nargs=-1, metavar="[HASH]...")
@click.pass_context
def allow(context: click.Context, hashes: tuple[str, ...]) -> None:
    """Review what is asked for, and allow it one by one; with HASH, only those.

    This needs a person at a terminal. In CI, set CALMKB_TRUST to the hashes that you trust
    (`calmkb agents trust --json` prints them).
    """
    if reason := no_person_at_terminal():
        raise CalmError(
            f"an approval needs a person at a terminal, and {reason}; there run "
            "`calmkb agents trust allow`, or in CI set CALMKB_TRUST to the hashes of "
            "`calmkb agents trust --json`"
        )
    kb = kb_from(context)
    waiting = open_requests(kb, all_requests(kb))
    if hashes:
        waiting = tuple(one for one in waiting if one.sha256.startswith(hashes))
    if not waiting:
        click.echo("Nothing waits for your approval.")
    for one in waiting:
        if ask(one):
            approve(kb, [one])


def state(kb: KnowledgeBase) -> str:
    """Return how much of what this repository asks for waits for an approval."""
    asked = all_requests(kb)
    waiting = len(open_requests(kb, asked))
    if waiting:
        return f"{counted(waiting, 'request')} to review: calmkb agents trust"
    return (
        f"{counted(len(asked), 'request')} of this repository allowed"
        if asked
        else ("this repository asks for nothing that needs your approval")
    )


@trust.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List what you have allowed on this machine, in every repository."""
    found = grants(process_environment())
    if as_json:
        print_json({"grants": found}, indent=2)
    elif not found:
        click.echo("You have allowed nothing on this machine.")
    for one in [] if as_json else found:
        click.echo(_granted(one))


@trust.command()
@click.argument("hashes", nargs=-1, metavar="[HASH]...")
@click.option("--all", "everything", is_flag=True, help="All approvals of this repository.")
@click.pass_context
def revoke(context: click.Context, hashes: tuple[str, ...], everything: bool) -> None:
    """Revoke approvals, by the first 8 or more digits of their hashes."""
    if everything == bool(hashes):
        raise CalmError("name the approvals to revoke by their hashes, or give --all alone")
    gone = (
        revoke_all(kb_from(context)) if everything else revoke_grants(process_environment(), hashes)
    )
    for one in gone:
        click.echo(f"Revoked {_granted(one)}")
    if not gone:
        click.echo("There was nothing to revoke.")


def _granted(grant: Grant) -> str:
    return visible(f"{grant.sha256[:12]}  {grant.at[:10]}  {grant.subject}  {grant.knowledge_base}")
