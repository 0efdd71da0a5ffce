"""`calmkb memory add`, `edit`, `merge` and `retire`: memories changed by a person.

An agent can only add, and what it adds is a proposal.
"""

from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.person import approver, no_person_because, require_person
from calmkb.cli.base.text import counted, visible
from calmkb.errors import CalmError
from calmkb.model import CATEGORIES, scope_words

if TYPE_CHECKING:
    from calmkb.kb.memories.agent_proposals import ComparedProposal
    from calmkb.model import Verdict

_INSTEAD = "propose a new text with: calmkb memory add TEXT --category NAME --supersedes ID"
_FORCE = "Do it although another memory says the same or the opposite."


@click.command()
@click.argument("text")
@click.option("--from", "sources", multiple=True, metavar="ID",
              help="A trouble, session or signal that shows it.")  # fmt: skip
@click.option("--category", type=click.Choice(CATEGORIES), help="Else the words decide.")
@click.option("--importance", type=click.FloatRange(0, 1), default=0.5, show_default=True)
@click.option(
    "--scope", default="", help="A project, or global; else that of --from, else this one."
)
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Files it is about.")
@click.option("--tag", "tags", multiple=True)
@click.option("--supersedes", default="", metavar="ID", help="The memory it replaces.")
@click.option("--force", is_flag=True, help=_FORCE)
@click.pass_context
def add(
    context: click.Context,
    /,
    text: str,
    category: str | None,
    supersedes: str,
    force: bool,
    **more: Any,
) -> None:
    """Add a memory of your own.

    A duplicate or a contradiction of another memory is refused without --force. Where no person is
    at the terminal, it becomes a proposal for the next review.
    """
    from calmkb.kb.base.points import memory_faults
    from calmkb.kb.memories import agent_proposals
    from calmkb.kb.memories.files import find_memory
    from calmkb.kb.project.misplaced_write import misplaced_write

    kb = kb_from(context)
    more["supersedes"] = find_memory(kb, supersedes).id if supersedes else ""
    asked = agent_proposals.ProposalRequest(content=text, category=category or "", **more)
    _check_new(agent_proposals.compared(kb, asked), asked.supersedes, force=force)
    if reason := no_person_because(context):
        click.echo(_proposed(agent_proposals.propose_memory(kb, asked), reason))
        return
    person = approver(context, kb)
    kept = agent_proposals.store_memory(kb, text, category or "", approved_by=person, **more)
    warn(misplaced_write(kb, option=context.find_root().params.get("kb")))
    click.echo(f"Memory saved: {kept.id}")
    if not (category and more["scope"]):
        shown = f", from {counted(len(kept.sources), 'source')}" if kept.sources else ""
        click.echo(visible(f"{kept.category}, {scope_words(kept.scope)}{shown}"), err=True)
    for one in memory_faults(kb, [kept], everywhere=True).get(kept.id, ()):
        warn(f"memory {kept.id[:8]}: {one.message}")


def _proposed(offered: "ComparedProposal", reason: str) -> str:
    if offered.status != "proposed":
        why = offered.note or f"memory {offered.verdict.other[:8]} says it already"
        return f"Nothing was written: {why}."
    return (
        f"Proposed: {offered.memory.id}\nIt is not a memory yet, because {reason}. "
        "A person decides on it with: calmkb reflect"
    )


def _check_new(verdict: "Verdict", replaced: str, *, force: bool) -> None:
    """Raise CalmError on a duplicate or a contradiction; only warn with `force`."""
    if verdict.kind == "new" or verdict.other == replaced:
        return
    words = "says the same as" if verdict.kind == "duplicate" else "contradicts"
    problem = (
        f"it {words} {verdict.other[:8]} (similarity {verdict.similarity:.2f}): {verdict.text}"
    )
    if force:
        warn(problem)
        return
    fix = "add it anyway with --force"
    if verdict.kind == "conflict":
        fix = f"replace that one with --supersedes {verdict.other[:8]}, or {fix}"
    raise CalmError(f"{problem}\nNothing was written; {fix}")


@click.command()
@click.argument("id")
@click.option("--text", help="The new text.")
@click.option("--category", type=click.Choice(CATEGORIES))
@click.option("--importance", type=click.FloatRange(0, 1))
@click.option("--scope", help="A project, or global.")
@click.option(
    "--path", "paths", multiple=True, metavar="GLOB",
    help="Files it is about, replacing those before; an empty one for all.",
)  # fmt: skip
@click.pass_context
def edit(
    context: click.Context,
    id: str,  # noqa: A002
    text: str | None,
    category: str | None,
    importance: float | None,
    scope: str | None,
    paths: tuple[str, ...],
) -> None:
    """Edit a memory: its text in your editor, or the fields that options name.

    The id and the feedback stay. A change that somebody made meanwhile is not overwritten.
    """
    from calmkb.cli.base.editor import edit_words
    from calmkb.kb.memories.edit import Edits, edit_memory
    from calmkb.kb.memories.files import locate

    require_person(context, "changing a memory", _INSTEAD)
    kb = kb_from(context)
    filed = locate(kb, id)
    if text is None and not paths and (category, importance, scope) == (None, None, None):
        text = edit_words(filed.record.text)
    if text is not None and not text.strip():
        raise CalmError(
            "the text is empty, so nothing was written; to delete it: calmkb memory retire ID"
        )
    edits = Edits(
        text=text, category=category, importance=importance, scope=scope, paths=paths or None
    )
    edited = edit_memory(kb, filed, edits, approved_by=approver(context, kb))
    if edited is None:
        click.echo("Nothing has changed, so nothing was written.")
    else:
        click.echo(f"Edited {edited.id}: {visible(edited.text)}")


@click.command()
@click.argument("id")
@click.argument("into")
@click.option("--text", default="", help="The text for both; else INTO keeps its own.")
@click.option("--force", is_flag=True, help=_FORCE)
@click.pass_context
def merge(context: click.Context, id: str, into: str, text: str, force: bool) -> None:  # noqa: A002
    """Add the evidence of memory ID to memory INTO, and delete ID."""
    from calmkb.kb.memories.edit import locate_both, merge_memories

    require_person(context, "merging memories", _INSTEAD)
    kb = kb_from(context)
    gone, kept = locate_both(kb, id, into)
    made = merge_memories(kb, gone, kept, text=text, force=force, approved_by=approver(context, kb))
    click.echo(f"Merged {gone.record.id[:8]} into {made.id}: {visible(made.text)}")
    if (gone.record.scope, gone.record.paths) != (made.scope, made.paths):
        where = ", ".join([gone.record.scope, *gone.record.paths])
        warn(f"{gone.record.id[:8]} applied to {where}, this one applies to "
             f"{', '.join([made.scope, *made.paths])}; change that with: "
             f"calmkb memory edit {made.id[:8]} --scope NAME")  # fmt: skip


@click.command()
@click.argument("id")
@click.option("--reason", default="", help="Why; kept in the commit message.")
@click.pass_context
def retire(context: click.Context, id: str, reason: str) -> None:  # noqa: A002
    """Delete a memory; git keeps its history."""
    from calmkb.kb.memories.files import find_memory
    from calmkb.kb.memories.memories import retire_memory
    from calmkb.kb.reflect.commit_words import undo_command

    require_person(
        context, "retiring a memory", "if it misled you: calmkb memory feedback ID harmful"
    )
    kb = kb_from(context)
    gone, commit = retire_memory(kb, find_memory(kb, id).id, reason=reason)
    click.echo(f"Retired {gone.id}: {visible(gone.text)}")
    click.echo(f"Commit {commit[:8]}; undo it with: {undo_command(kb, commit)}")
