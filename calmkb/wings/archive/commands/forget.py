"""`session forget` and `project forget`: out of the journal and off this machine."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.common import kb_from
from calmkb.cli.base.person import require_person
from calmkb.cli.base.text import bullet, clip, counted, visible

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.wings.archive.verbs.forget import Forgetting

_SHOWN = 10
_yes = click.option("--yes", is_flag=True, help="Do not ask first.")


@click.command("forget")
@click.argument("session")
@_yes
@click.pass_context
def forget_session(context: click.Context, session: str, yes: bool) -> None:
    """Forget SESSION: its entries, kept turns, signals and drafts.

    SESSION begins an entry's id, or is the id that the agent gave it. Its transcript is not taken
    in again. Memories that cite it stay.
    """
    from calmkb.wings.archive.verbs.forget import plan_session

    kb = kb_from(context)
    _forget(context, kb, plan_session(kb, session), yes=yes)


@click.command("forget")
@click.argument("name")
@_yes
@click.pass_context
def forget_project(context: click.Context, name: str, yes: bool) -> None:
    """Forget every session of the project NAME, as `calmkb session forget` does one."""
    from calmkb.wings.archive.verbs.forget import plan_project

    kb = kb_from(context)
    _forget(context, kb, plan_project(kb, name), yes=yes)


def _forget(context: click.Context, kb: "KnowledgeBase", plan: "Forgetting", *, yes: bool) -> None:
    from calmkb.wings.archive.verbs.forget import forget

    require_person(context, "forgetting sessions", "ask the person to do it")
    kept, signals = counted(len(plan.kept), "kept session"), counted(plan.signals, "signal")
    entries = counted(len(plan.entries), "entry", "entries")
    click.echo(f"To be forgotten: {entries}, {kept}, {signals}.")
    for entry in list(plan.entries.values())[:_SHOWN]:
        click.echo(bullet(visible(clip(f"{entry.id[:8]}  {entry.title or entry.summary}", 76))))
    if len(plan.entries) > _SHOWN:
        click.echo(f"and {len(plan.entries) - _SHOWN} more")
    if plan.cited:
        click.echo(f"{counted(len(plan.cited), 'memory', 'memories')} made of them will stay:")
    for one in plan.cited[:_SHOWN]:
        click.echo(f"  calmkb show {one.id[:8]}")
    if plan.forks:
        click.echo("Sessions that went on from them stay, with their words:")
    for fork in plan.forks[:_SHOWN]:
        click.echo(f"  calmkb session forget {fork.id[:8]}")
    if not (yes or confirm("Forget?")):
        return
    commit = forget(kb, plan)
    click.echo("Forgotten. The client's transcript stays, and is not read again.")
    click.echo("A site that is built already holds the words until: calmkb site build")
    if commit:
        click.echo("Git's history still holds the entries. To rewrite it, in a fresh clone:")
        click.echo(f"  git show --format= --name-only {commit[:12]} > forgotten.txt")
        click.echo("  git filter-repo --invert-paths --paths-from-file forgotten.txt")
        click.echo("Then push by force, and have everybody clone again.")
