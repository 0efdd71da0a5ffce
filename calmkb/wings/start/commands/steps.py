"""The steps after the first look: each asks one question, or says why it need not."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import QUIT, Choice, choose, confirm
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.text import counted, from_home
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.wings.start.verbs.preview import Preview

_END = """\
Done. To see it in a browser:  calmkb site serve
Tomorrow, after a session:     calmkb wrapup
Once a week:                   calmkb reflect, then calmkb export"""


class Step:
    """One step of the walk: its number, its questions and what it prints."""

    def __init__(self, context: click.Context, number: int, of: int) -> None:
        self.context, self._head = context, f"{number} of {of}  "

    def kb(self, *, warns: bool = False) -> "KnowledgeBase":
        """Return the knowledge base as it is by now."""
        return kb_from(self.context, warns=warns)

    def say(self, text: str) -> None:
        """Print what the step is about, beside its number."""
        first, *more = text.split("\n")
        indent = " " * len(self._head)
        click.echo(hanging(f"\n{self._head}{first}", column=len(indent)))
        for line in more:
            click.echo(hanging(indent + line))

    def yes(self, question: str, *more: Choice, yes: str = "yes") -> bool:
        """Ask; return whether the answer was yes. One of `more` counts as what it returns."""
        answers: list[bool] = []

        def answered(value: bool) -> bool:
            answers.append(value)
            return True

        self.say(question)
        choose([
            Choice("yes", yes, lambda _: answered(True)),
            *more,
            Choice("no", "no, go on to the next step", lambda _: answered(False)),
            QUIT,
        ])  # fmt: skip
        return bool(answers and answers[-1])


def ask(context: click.Context, found: "Preview") -> None:
    """Take the steps that are not done yet; raises Quit where the person leaves.

    An error ends its step alone: what is asked next may be all that the person came for.
    """
    steps = _steps()
    click.echo(f"\n{len(steps)} steps follow, with one question each at most; ? explains the keys.")
    for number, take in enumerate(steps, 1):
        try:
            take(Step(context, number, len(steps)), found)
        except CalmError as error:
            warn(f"step {number} failed: {error}")
    click.echo(f"\n{_END}")


def _begin(step: Step, _: "Preview") -> None:
    """Offer a journal for the repository that one is in."""
    from calmkb.cli.init import ask_and_begin, report
    from calmkb.kb.project.places import InitRequest, begin, shown_plan, usual_place
    from calmkb.wings.start.verbs.keeping import may_begin

    kb = step.kb()
    if not may_begin(kb):
        step.say(f"The journal is in {from_home(kb.root)}.")
        return

    def choose_all(_: str) -> bool:
        ask_and_begin()
        return True

    request = InitRequest(usual_place(kb.environment))  # exports go to the files that are there
    plan = "\n".join(from_home(line) for line in shown_plan(kb.environment, request))
    other = Choice("choose", "choose its place, who reads it, its name and whether to share it",
                   choose_all)  # fmt: skip
    if step.yes(f"Begin a journal for this repository? It would\n{plan}", other):
        report(request, begin(kb.environment, request))


def _import(step: Step, found: "Preview") -> None:
    """Offer to add the sessions as entries: skimmed, or written by an agent within a budget."""
    from calmkb.kb.journal.writing import WRITERS, Writer, cost_notice, writer_named
    from calmkb.wings.start.verbs.keeping import keep_sessions, new_sessions

    kb = step.kb()
    count = new_sessions(kb, found)
    if not count:
        step.say("The journal has all of these sessions.")
        return
    chosen: list[Writer] = []

    def write(name: str) -> bool:
        writer = writer_named(name or next(iter(WRITERS)))
        click.echo(cost_notice(kb, writer))
        if confirm("Send them?", default=False):
            chosen.append(writer)
        return bool(chosen)

    by_agent = Choice("write", f"yes, each written by an agent ({', '.join(WRITERS)}); its cost is "
                      "shown before it begins", write, "[AGENT]")  # fmt: skip
    many = counted(count, "session") + (" and all older ones" if found.is_part else "")
    question = f"Add {many} to the journal in {from_home(kb.root)} as entries?"
    if (
        step.yes(question, by_agent, yes="yes, skimmed without a model: free, and rougher")
        or chosen
    ):
        done = keep_sessions(kb, found, chosen[0] if chosen else None)
        click.echo(f"Added {counted(sum(one.added for one in done), 'entry', 'entries')}.")
        for fault in dict.fromkeys(fault for one in done for fault in one.unwritten):
            warn(f"drafted without {chosen[0].name}: {fault}")


def _review(step: Step, _: "Preview") -> None:
    """Offer the review of what waits."""
    from calmkb.cli.reflect.at_terminal import review_at_terminal
    from calmkb.cli.reflect.proposal_items import held_back, held_line
    from calmkb.kb.reflect.reflection import pending

    kb = step.kb(warns=True)
    if not kb.root.is_dir():
        step.say("There is nothing to review yet.")
        return
    waiting = pending(kb)
    held = waiting.proposals.held
    if not waiting.proposals.open:
        step.say("\n".join(filter(None, ["Nothing to review.", held_line(held)])))
        return

    def show(_: str) -> bool:
        click.echo(held_back(held))
        return False

    more = [Choice("held", "show what is held back, with the reasons", show)] if held else []
    question = (
        f"Review {counted(len(waiting.shown), 'proposal')}? What you accept becomes a memory."
    )
    if step.yes("\n".join(filter(None, [question, held_line(held)])), *more):
        review_at_terminal(step.context, kb, waiting, in_walk=True)


def _capture(step: Step, _: "Preview") -> None:
    """Offer the hooks, or the plugin that has them and the skills."""
    from calmkb.kb.hooks.toggle import hook_state, switch_on

    environment = step.kb().environment
    state = hook_state(environment)
    if state.present or state.plugin:
        step.say("Corrections and failures are captured already.")
        return
    if not state.path.parent.is_dir():
        step.say("Claude Code is not on this machine, so there are no hooks to add.")
        return

    def install(_: str) -> bool:
        from calmkb.cli.clients.plugin import plugin_dir
        from calmkb.wings.start.verbs.keeping import install_plugin

        click.echo(install_plugin(environment, str(plugin_dir())))
        return True

    plugin = Choice("plugin", "install the plugin instead: hooks, MCP server and skills", install)
    question = f"Capture corrections and failures from now on, by hooks in {from_home(state.path)}?"
    if step.yes(question, plugin):
        done = switch_on(environment)
        click.echo(hanging(f"Added them to {from_home(done.path)}; it takes effect in the next "
                           "session. To take them out: calmkb agents hooks off"))  # fmt: skip
        for text in done.warnings:
            warn(text)


def _export(step: Step, _: "Preview") -> None:
    """Offer to write the approved memories where agents read them."""
    from calmkb.kb.export.export import ExportRequest, open_source, plan, write

    kb = step.kb()
    made = plan(open_source(kb), ExportRequest()) if kb.root.is_dir() else None
    if made is None or not made.changes:
        step.say("There is nothing to write for your agents: no memory is new.")
        return
    files = ", ".join(from_home(change.path) for change in made.changes)
    if step.yes(f"Write the approved memories to {files}? What people wrote there is kept."):
        write(kb, made)
        click.echo(
            hanging(
                f"Wrote {files}. To take it out, delete the lines from calmkb:begin to calmkb:end."
            )
        )


def _steps() -> list[Callable[[Step, "Preview"], None]]:
    from calmkb.kb.base.points import taking_part

    return [_begin, _import, *list(taking_part("start_step")), _review, _capture, _export]
