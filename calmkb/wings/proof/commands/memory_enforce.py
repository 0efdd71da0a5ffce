"""`calmkb agents enforce`: an approved memory is held against what agents do, tried first."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.json_io import fields_named, print_json
from calmkb.cli.base.person import approver, no_person_because, require_person
from calmkb.cli.base.text import counted, from_home, visible
from calmkb.errors import CalmError
from calmkb.model.memories.enforcement import LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calmkb.kb.base.filed import Filed
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.model import Memory
    from calmkb.model.memories.enforcement import Level
    from calmkb.wings.proof.enforce.checks import Check
    from calmkb.wings.proof.verbs.enforce.trial import Trial

_ASK = "ask the person who works with you"
_CASES = 10  # calls that are shown; `--json` has them all


@click.command()
@click.argument("id", default="")
@click.option(
    "--as", "level", type=click.Choice(LEVELS), default=None, help="What a check does (warn)."
)
@click.option(
    "--check", "lines", multiple=True, metavar="LINE",
    help="Use this check, such as 'never run npm', not what the words say.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Try the checks on past sessions; change nothing.")
@click.option("--off", is_flag=True, help="Enforce the memory no longer.")
@click.option("--pass", "once", is_flag=True, help="Let the next call that breaks it pass.")
@click.option("--json", "as_json", is_flag=True, help="Print the trial as JSON; changes nothing.")
@click.pass_context
def enforce(
    context: click.Context,
    id: str,  # noqa: A002
    level: "Level | None",
    lines: "tuple[str, ...]",
    dry_run: bool,
    off: bool,
    once: bool,
    as_json: bool,
) -> None:
    """Hold agents to memory ID: warn about calls that break it, or block them.

    Its words become a check, such as `never run npm`, which is tried on the sessions of this
    repository first. Without ID, lists what is enforced and what could be. Checks:

    \b
      never run COMMAND [without OPTION]    run COMMAND before COMMAND
      never edit GLOB, never commit GLOB    run COMMAND before stopping
      give a reason after `TEXT`            ... after editing GLOB
      never write `TEXT` [in|outside GLOB]  never say `TEXT` in a commit
      never name a variable `NAME`          begin commits with `feat:|fix:`
    """
    from calmkb.kb.memories.files import locate

    kb = kb_from(context)
    if not id:
        _list(kb)
        return
    filed = locate(kb, id)
    if off or once:
        _pass(context, kb, filed.record) if once else _stop(context, kb, filed)
        return
    checks, trial = _tried(kb, filed.record, lines)
    if as_json:
        print_json(_row(filed.record, checks, trial), indent=2)
        return
    _show(f"Memory {filed.record.id[:8]}: {visible(filed.record.text)}", checks, trial)
    level = level or filed.record.enforce or "warn"
    if not dry_run and _wanted(context, checks, level):
        _enforce(context, kb, filed, checks, level)


def state(kb: "KnowledgeBase") -> str:
    """Return how many memories are enforced on this machine."""
    from calmkb.wings.proof.verbs.enforce.switch import enforceable

    found = enforceable(kb)
    here = sum(bool(one.memory.enforce and one.here) for one in found)
    could = f"; {len(found) - here} more could be" if len(found) > here else ""
    words = f"{counted(here, 'memory', 'memories')} enforced on this machine{could}"
    return words + (": calmkb agents enforce" if found else "")


def _list(kb: "KnowledgeBase") -> None:
    from calmkb.wings.proof.local import stopped
    from calmkb.wings.proof.verbs.enforce.switch import enforceable, unheld

    for identity, why in unheld(kb):
        warn(f"memory {identity[:8]} is not enforced: {why}")
    done = stopped(kb)
    found = enforceable(kb)
    if not found:
        click.echo(
            "No memory has a check yet. Write one: calmkb agents enforce ID --check 'never run npm'"
        )
    for one in found:
        state: str = one.memory.enforce or "could be enforced"
        if one.memory.enforce and not one.here:
            state += ", not on this machine"
        click.echo(f"{one.memory.id[:8]}  {state}: {'; '.join(map(str, one.checks))}")
        click.echo(f"          {visible(one.memory.text.splitlines()[0])}")
        if one.memory.id in done:
            click.echo(f"          {done[one.memory.id].words}")


def _tried(
    kb: "KnowledgeBase", memory: "Memory", lines: "Sequence[str]"
) -> "tuple[tuple[Check, ...], Trial]":
    from calmkb.wings.proof.verbs.enforce.switch import checks_for
    from calmkb.wings.proof.verbs.enforce.trial import try_checks

    if checks := checks_for(memory, lines):
        return checks, try_checks(kb, checks)
    raise CalmError(
        f"the words of memory {memory.id[:8]} say no check; state one with --check, such as: "
        f"calmkb agents enforce {memory.id[:8]} --check 'never run npm'"
    )


def _show(title: str, checks: "Sequence[Check]", trial: "Trial") -> None:
    click.echo(title)
    for check in checks:
        click.echo(f"Check: {visible(str(check))}")
    if not trial.sessions:
        click.echo("No past session of this repository is on this machine to try it on.")
        return
    looked = f"{counted(trial.sessions, 'session')} ({counted(trial.calls, 'call')})"
    if not trial.fired:
        click.echo(f"It would not have fired once in {looked} of this repository.")
        return
    fired = counted(len(trial.fired), "time")
    click.echo(f"It would have fired {fired} in {looked} of this repository:")
    for one in trial.fired[-_CASES:]:
        at = f"{one.session[:8]}:{one.line}" if one.line else one.session[:8]
        click.echo(f"  {one.day}  {at}  {visible(one.what)}  ({one.outcome})")
    if (more := len(trial.fired) - _CASES) > 0:
        click.echo(f"  and {more} before these; all of them: --json")
    click.echo(
        f"{trial.count('failed') + trial.count('refused')} of these calls failed or were refused; "
        f"{trial.count('asked for')} a person had asked for, where the check would be wrong."
    )


def offer(context: click.Context, kb: "KnowledgeBase", name: str) -> None:
    """Show which lines of a file say a check, tried; a person picks those that are enforced."""
    from calmkb.kb.journal.sessions import read_memories
    from calmkb.kb.memories.agent_proposals import store_memory
    from calmkb.kb.memories.files import locate
    from calmkb.wings.proof.verbs.enforce.trial import lines_of, try_checks

    found = lines_of(Path(kb.environment.cwd, name))
    trial = try_checks(kb, [check for one in found for check in one.checks])
    reason = no_person_because(context)
    for one in found:
        fired = tuple(case for case in trial.fired if case.check in map(str, one.checks))
        title = f"{name}:{one.line}: {visible(one.text)}"
        _show(title, one.checks, replace(trial, fired=fired))
        if not reason and _wanted(context, one.checks, "warn"):
            known = (memory.id for memory in read_memories(kb) if memory.text == one.text)
            id = next(known, "") or store_memory(  # noqa: A001
                kb, one.text, "", approved_by=approver(context, kb)
            ).id  # fmt: skip
            _enforce(context, kb, locate(kb, id), one.checks, "warn")
    click.echo(f"{counted(len(found), 'line')} of {name} could be held.")
    if found and reason:
        click.echo(f"Nothing was changed: a person picks at a terminal, and {reason}.")


def _wanted(context: click.Context, checks: "Sequence[Check]", level: "Level") -> bool:
    require_person(context, "enforcing a memory", "look at what it would do with: --dry-run")
    does = "Warn about" if level == "warn" else "Block"
    at_stop = all(check.at_stop for check in checks)
    what = "turns that end without it" if at_stop else "such calls"
    if confirm(f"{does} {what} on this machine?", default=False, err=True):
        return True
    click.echo("Nothing was changed.")
    return False


def _enforce(
    context: click.Context,
    kb: "KnowledgeBase",
    filed: "Filed[Memory]",
    checks: "Sequence[Check]",
    level: "Level",
) -> None:
    from calmkb.wings.proof.verbs.enforce.switch import enforce as enforce_memory

    done = enforce_memory(kb, filed, checks, level, approved_by=approver(context, kb))
    short = filed.record.id[:8]
    click.echo(f"Enforced ({level}): memory {short}, by a hook in {from_home(done.path)}")
    click.echo(f"Stop with: calmkb agents enforce {short} --off")
    click.echo("In commits and CI: calmkb enforce --staged, calmkb enforce --since main")


def _stop(context: click.Context, kb: "KnowledgeBase", filed: "Filed[Memory]") -> None:
    from calmkb.wings.proof.verbs.enforce.switch import stop_enforcing

    require_person(context, "changing what is enforced", _ASK)
    done = stop_enforcing(kb, filed, approved_by=approver(context, kb))
    if done is None:
        click.echo(f"Memory {filed.record.id[:8]} is not enforced; nothing was changed.")
        return
    click.echo(f"Memory {filed.record.id[:8]} is enforced no longer.")
    if done.changed:
        click.echo(f"Removed the hook from {from_home(done.path)}: nothing else is enforced")


def _pass(context: click.Context, kb: "KnowledgeBase", memory: "Memory") -> None:
    from calmkb.wings.proof.local import allow_once
    from calmkb.wings.proof.verbs.enforce.switch import is_enforced_here

    require_person(context, "changing what is enforced", _ASK)
    if not is_enforced_here(kb, memory):
        warn(f"memory {memory.id[:8]} is not enforced on this machine; nothing was changed")
        return
    allow_once(kb.environment.own, memory.id, kb.environment.now().timestamp())
    click.echo(f"The next call that breaks memory {memory.id[:8]} passes, within ten minutes.")


def _row(memory: "Memory", checks: "Sequence[Check]", trial: "Trial") -> dict[str, object]:
    fired = [
        fields_named(one, "session", "day", "line", "check", "outcome") | {"call": one.what}
        for one in trial.fired
    ]
    return {
        "memory": memory.id, "enforce": memory.enforce, "checks": [*map(str, checks)],
        "sessions": trial.sessions, "calls": trial.calls, "fired": fired,
    }  # fmt: skip
