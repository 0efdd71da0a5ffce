"""The questions after the first look; each does one thing, after a yes."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import QUIT, Choice, choose, confirm
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.text import counted, from_home

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.start.preview import Preview


def ask(context: click.Context, found: "Preview") -> None:
    """Ask for each step that is not done yet; raises Quit where the person leaves."""
    _keep(context, found)
    _review(context)
    _capture(context)
    _export(context)
    click.echo("\nThat is all. After your next session: calmkb wrapup")


def _yes(question: str, *more: Choice, yes: str = "yes") -> bool:
    """Ask a question; return whether the answer was yes, or one of `more` was chosen."""
    answer = []

    def answered(value: bool) -> bool:
        answer.append(value)
        return True

    click.echo(f"\n{question}")
    choose([
        Choice("yes", yes, lambda _: answered(True)),
        *more,
        Choice("no", "no, ask the next question", lambda _: answered(False)),
        QUIT,
    ])  # fmt: skip
    return bool(answer and answer[-1])


def _keep(context: click.Context, found: "Preview") -> None:
    """Offer to keep the sessions as entries: skimmed, or written by an agent within a budget."""
    from calmkb.kb.journal.writing import WRITERS, Writer, cost_notice, writer_named
    from calmkb.kb.start.keeping import keep_sessions, new_sessions

    kb = _knowledge_base(context)
    count = new_sessions(kb, found)
    if not count:
        click.echo(f"\nThe journal in {from_home(kb.root)} has these sessions already.")
        return
    chosen: list[Writer] = []

    def write(name: str) -> bool:
        writer = writer_named(name or next(iter(WRITERS)))
        click.echo(cost_notice(kb, writer))
        if confirm("Send them?", default=False):
            chosen.append(writer)
        return bool(chosen)

    by_agent = Choice("write", f"yes, each written by an agent ({', '.join(WRITERS)}), which costs",
                      write, "[AGENT]")  # fmt: skip
    question = f"Keep {counted(count, 'session')} and what is older as entries in {kb.root}?"
    if _yes(question, by_agent, yes="yes, skimmed without a model: free, and rougher") or chosen:
        done = keep_sessions(kb, found, chosen[0] if chosen else None)
        click.echo(f"Added {counted(sum(one.added for one in done), 'entry', 'entries')}.")
        for fault in dict.fromkeys(fault for one in done for fault in one.unwritten):
            warn(f"drafted without {chosen[0].name}: {fault}")


def _knowledge_base(context: click.Context) -> "KnowledgeBase":
    """Return the knowledge base to keep in; the repository's own is begun first, after a yes."""
    from calmkb.cli.init import init
    from calmkb.kb.start.keeping import may_begin

    kb = kb_from(context, warns=False)
    if not may_begin(kb):
        return kb  # the one in the home is made by its first entry
    if _yes("Begin a journal for this repository? Three questions follow, with defaults."):
        context.invoke(init)
        kb = kb_from(context, warns=False)
    return kb


def _review(context: click.Context) -> None:
    """Offer the review of what waits."""
    from calmkb.cli.reflect.reflect import review_at_terminal
    from calmkb.kb.reflect.reflection import pending

    kb = kb_from(context)
    if not kb.root.is_dir():
        return
    waiting = pending(kb)
    if not waiting.proposals.open:
        return
    count = counted(len(waiting.shown), "proposal")
    if _yes(f"Review {count} now? What you accept becomes a memory."):
        review_at_terminal(context, kb, waiting)


def _capture(context: click.Context) -> None:
    """Offer the hooks, or the plugin that has them and the skills."""
    from calmkb.kb.hooks.toggle import hook_state, switch_on

    environment = kb_from(context, warns=False).environment
    state = hook_state(environment)
    if state.present or state.plugin or not state.path.parent.is_dir():
        return

    def install(_: str) -> bool:
        from calmkb.kb.start.plugin import install_plugin

        click.echo(install_plugin(environment, _plugin_folder()))
        return True

    choice = Choice("plugin", "install the plugin instead: hooks, MCP server and skills", install)
    question = f"Capture corrections and failures from now on, by hooks in {state.path}?"
    if _yes(question, choice):
        done = switch_on(environment)
        click.echo(f"Added them to {from_home(done.path)}; it takes effect in the next session. "
                   "To take them out: calmkb hooks off")  # fmt: skip
        for text in done.warnings:
            warn(text)


def _plugin_folder() -> str:
    from calmkb.cli.clients.plugin import plugin_dir

    return str(plugin_dir())


def _export(context: click.Context) -> None:
    """Offer to write the approved memories where agents read them."""
    from calmkb.kb.export.export import ExportRequest, plan, write

    kb = kb_from(context, warns=False)
    if not kb.root.is_dir():
        return
    made = plan(kb, ExportRequest())
    if not made.changes:
        return
    files = ", ".join(str(change.path) for change in made.changes)
    if _yes(f"Write the approved memories to {files}? What people wrote there is kept."):
        write(kb, made)
        click.echo(f"Wrote {files}. To take it back: calmkb export --undo")
