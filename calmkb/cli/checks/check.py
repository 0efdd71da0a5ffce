"""`calmkb check`: validate a knowledge base, for people and for CI."""

from pathlib import Path

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.text import counted, from_home
from calmkb.cli.checks.options import format_option, json_form, strict_option
from calmkb.errors import CalmError


@click.command()
@format_option
@json_form
@click.option("--summary", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Add a summary in Markdown to FILE, as a workflow's page shows it.")  # fmt: skip
@strict_option
@click.pass_context
def check(context: click.Context, *, form: str, summary: Path | None, strict: bool) -> int:
    """Validate the journal; exit 1 if there is any error."""
    from calmkb.kb.checks.check import check as find_problems
    from calmkb.kb.checks.formats import FORMATS, as_markdown

    kb = kb_from(context, warns=False)
    findings = find_problems(kb)
    if shown := FORMATS[form](findings):
        click.echo(shown)
    if summary:
        _add(summary, as_markdown(findings))
    if form == "text":
        click.echo(
            f"{counted(len(findings), 'problem')} in {from_home(kb.journal)}", err=bool(findings)
        )
    serious = ("error", "warning") if strict else ("error",)
    return int(any(finding.severity in serious for finding in findings))


def _add(file: Path, text: str) -> None:
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise CalmError(f"cannot write {file}: {error.strerror}") from error
