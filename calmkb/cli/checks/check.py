"""`calmkb check`: validate a knowledge base, for people and for CI."""

from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.text import counted, from_home
from calmkb.cli.checks.options import format_option, json_form, report, strict_option
from calmkb.errors import CalmError

OTHERS = {
    "verify": "calmkb.wings.proof.commands.verify:verify",
    "enforce": "calmkb.wings.proof.commands.verify:enforce",
}


class _Check(click.Command):
    """With `--only verify` it is the command `verify`, with that one's own options."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **more: Any,
    ) -> click.Context:
        """Return the context of the command that is wanted."""
        parts = [part for one in args
                 for part in (one.split("=") if one.startswith("--only=") else [one])]  # fmt: skip
        at = parts.index("--only") if "--only" in parts else len(parts)
        if place := OTHERS.get("".join(parts[at + 1 : at + 2])):
            command: click.Command = resolve_name(place)
            name = f"{info_name} --only {parts[at + 1]}"
            return command.make_context(name, parts[:at] + parts[at + 2 :], parent, **more)
        return super().make_context(info_name, args, parent, **more)


@click.command(cls=_Check)
@click.option("--only", type=click.Choice(["journal", *OTHERS]), default="journal",
              show_default=True, help="verify: what is said of the code; enforce: what is "
              "staged, or changed since a commit; each has its own --help.")  # fmt: skip
@format_option
@json_form
@click.option("--summary", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Add a summary in Markdown to FILE, as a workflow's page shows it.")  # fmt: skip
@strict_option
@click.pass_context
def check(
    context: click.Context, *, only: str, form: str, summary: Path | None, strict: bool
) -> int:
    """Validate the journal; exit 1 if there is any error."""
    from calmkb.kb.checks.check import check as find_problems
    from calmkb.kb.checks.formats import as_markdown

    kb = kb_from(context, warns=False)
    findings = find_problems(kb)
    if summary:
        _add(summary, as_markdown(findings))
    words = f"{counted(len(findings), 'problem')} in {from_home(kb.journal)}"
    return report(findings, form, words, strict=strict)


def _add(file: Path, text: str) -> None:
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise CalmError(f"cannot write {file}: {error.strerror}") from error
