"""`calmkb verify` and `enforce`: memories and instructions held against the code, and CI."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.text import counted, visible
from calmkb.cli.checks.options import format_option, json_form, report, strict_option
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calmkb.wings.proof.verbs.verify.anchors import VerifiedMemories
    from calmkb.wings.proof.verbs.verify.audit import Audit


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--at", metavar="COMMIT", default="", help="Look at COMMIT, not at the work tree.")
@click.option(
    "--since", metavar="COMMIT", default="", help="Report only what has been broken since COMMIT."
)
@click.option("--fix", "fixing", is_flag=True, help="Write paths that have moved as they are now.")
@format_option
@json_form
@strict_option
@click.pass_context
def verify(
    context: click.Context,
    *,
    files: "Sequence[str]",
    at: str,
    since: str,
    fixing: bool,
    form: str,
    strict: bool,
) -> int:
    """Check what instruction files say of this repository; exit 1 if anything is wrong.

    Looks at CLAUDE.md, AGENTS.md and the like, or at each FILE (README.md, say): the paths, links,
    targets of make and other task runners, and names in code that they mention. A mention is wrong
    where it held when its line was written and does not any more. A skill or template of other
    projects is left out unless named. Needs no knowledge base; where there is one, the approved
    memories of this project are held against its code too.
    """
    from calmkb.wings.proof.verbs.verify.audit import audit
    from calmkb.wings.proof.verbs.verify.fixes import fix

    if fixing and at:
        raise CalmError("--fix writes the work tree, and --at looks at a commit; leave one out")
    kb = kb_from(context)
    done = audit(kb.environment.cwd, files, at=at, since=since)
    if fixing:
        for one in fix(kb.environment.cwd, done.findings):
            click.echo(f"Fixed {one.path}:{one.line}: {visible(one.message)}", err=form != "text")
        done = audit(kb.environment.cwd, files, at=at, since=since)
    if done.is_shallow:
        warn("this clone is shallow: what is gone may be missed; run: git fetch --unshallow")
    for path in done.unread:
        warn(f"{path} cannot be read and was left out; look at it with: git fsck, ls -l")
    memories = None
    if not files and kb.journal.is_dir():
        from calmkb.wings.proof.verbs.verify.anchors import verified  # loads all of the journal

        memories = verified(kb, at=at, since=since)
    findings = (*done.findings, *(memories.findings if memories else ()))
    return report(findings, form, _summary(done, memories), strict=strict)


@click.command()
@click.option("--staged", is_flag=True, help="Look at what the next commit changes (the default).")
@click.option("--since", metavar="COMMIT", default="", help="Look at what HEAD changes since it.")
@click.option(
    "--from", "source", metavar="FILE", default="",
    help="Show which lines of FILE, such as CLAUDE.md, could be held; a person picks.",
)  # fmt: skip
@format_option
@json_form
@strict_option
@click.pass_context
def enforce(
    context: click.Context, *, staged: bool, since: str, source: str, form: str, strict: bool
) -> int:
    """Hold what is staged against the memories that this repository enforces; exit 1 if one blocks.

    Looks at files that may not be committed and text that may not be written. Which memories are
    enforced, and how, is in their records: calmkb agents enforce. Runs no program. --from tries
    what a file says on the past sessions of this repository.
    """
    from calmkb.wings.proof.verbs.enforce.changed_files import broken_by_changes

    if bool(staged) + bool(since) + bool(source) > 1:
        raise click.UsageError("choose one of --staged, --since and --from")
    if source:
        from calmkb.wings.proof.commands.memory_enforce import offer

        offer(context, kb_from(context), source)
        return 0
    found = broken_by_changes(kb_from(context), since=since)
    return report(found, form, counted(len(found), "broken check"), strict=strict, aside=True)


def _summary(done: "Audit", memories: "VerifiedMemories | None") -> str:
    anchors = memories.anchors if memories else 0
    if not done.files and not done.passed_on and not anchors:
        return "No instruction files here; name one: calmkb verify README.md"
    looked = [f"{counted(done.references, 'reference')} in {counted(len(done.files), 'file')}"]
    if memories and anchors:
        looked.append(
            f"{counted(anchors, 'anchor')} of {counted(memories.memories, 'memory', 'memories')}"
        )
    if done.passed_on:
        others = counted(len(done.passed_on), "file")
        looked.append(f"{others} of other projects left out (calmkb verify {done.passed_on[0]})")
    problems = len(done.findings) + (len(memories.findings) if memories else 0)
    return f"{counted(problems, 'problem')}: {', '.join(looked)}"
