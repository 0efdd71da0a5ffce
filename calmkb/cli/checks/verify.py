"""`calmkb verify`: whether instruction files and memories say what is so, for people and for CI."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.text import counted
from calmkb.cli.checks.options import format_option, json_form, strict_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calmkb.kb.verify.audit import Audit


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--at", metavar="COMMIT", default="", help="Look at COMMIT, not at the work tree.")
@click.option(
    "--since", metavar="COMMIT", default="", help="Tell only what has been broken since COMMIT."
)
@format_option
@json_form
@strict_option
@click.pass_context
def verify(
    context: click.Context, *, files: "Sequence[str]", at: str, since: str, form: str, strict: bool
) -> int:
    """Check what instruction files say of this repository; exit 1 if anything is wrong.

    Looks at CLAUDE.md, AGENTS.md and the like, or at each FILE (README.md, say): the paths, links,
    targets of make and other task runners, and names in code that they mention. A mention is wrong
    where it held when its line was written and does not any more. Needs no knowledge base.
    """
    from calmkb.kb.checks.formats import FORMATS
    from calmkb.kb.verify.audit import audit

    done = audit(kb_from(context).environment.cwd, files, at=at, since=since)
    if shown := FORMATS[form](done.findings):
        click.echo(shown)
    if form == "text":
        click.echo(_summary(done), err=bool(done.findings))
    serious = ("error", "warning") if strict else ("error",)
    return int(any(finding.severity in serious for finding in done.findings))


def _summary(done: "Audit") -> str:
    looked = f"{counted(done.references, 'reference')} in {counted(len(done.files), 'file')}"
    if not done.files:
        return "No instruction files here; name one: calmkb verify README.md"
    return f"{counted(len(done.findings), 'problem')}: {looked}"
