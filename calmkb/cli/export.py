"""`calmkb export`: approved memories where agents read them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.json_io import json_text
from calmkb.cli.base.layout import hanging, print_paged
from calmkb.cli.base.lazy import TableChoice
from calmkb.cli.base.text import counted, from_home, visible
from calmkb.errors import CalmError, ExportError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.export.plan import Plan, TargetPlan

_COLUMNS = f"  {'':5}{'worth':7}{'tokens':8}{'id':8}  memory"


@click.command()
@click.option("--target", "targets", multiple=True,
              type=TableChoice("calmkb.kb.export.plan:EXPORTERS"),
              help="Which kind of file, repeatable; else those of the configuration.")  # fmt: skip
@click.option("--place", type=TableChoice("calmkb.kb.export.plan:PLACES"), default="project",
              show_default=True,
              help="Where Claude Code's memory file is (user: in your home).")  # fmt: skip
@click.option("--file", "file", metavar="FILE|-", help="The file, or - for standard output.")
@click.option("--project", help="The project whose memories join the global ones; else this one.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="The most tokens for each target.")
@click.option("--explain", is_flag=True, help="List what is in, what is out, and why.")
@click.option("--json", "as_json", is_flag=True, help="With --explain: as JSON.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a file is out of date.")
@click.option("--diff", "as_diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--force", is_flag=True,
              help="Write over edits made by hand; the old file is kept as FILE.bak.")  # fmt: skip
@click.pass_context
def export(
    context: click.Context,
    /,
    file: str | None,
    explain: bool,
    as_json: bool,
    check: bool,
    as_diff: bool,
    force: bool,
    **wanted: Any,
) -> int:
    """Write approved memories where agents read them; what people wrote there is kept.

    CLAUDE.md gets a block between two comments; --target names other kinds of file.
    """
    from calmkb.kb.export.export import ExportRequest, open_source, plan

    if as_json and not explain:
        raise click.UsageError('--json goes with --explain; export.targets = ["json"] writes JSON')
    kb = kb_from(context)
    request = ExportRequest(
        **wanted, file=Path(file) if file and file != "-" else None, force=force or explain,
        printed=file == "-",
    )  # fmt: skip
    try:
        made = plan(open_source(kb), request)
    except ExportError as error:
        if not check:
            raise
        click.echo(f"{visible(str(error))}", err=True)
        return 1
    if explain:
        _explain(made, as_json=as_json)
    elif file == "-":
        click.echo(_whole(made), nl=False)
    elif check and not as_diff:
        return _checked(made)
    else:
        _write(kb, made, as_diff=as_diff)
    return 0


def _write(kb: "KnowledgeBase", made: "Plan", *, as_diff: bool) -> None:
    from calmkb.kb.export.export import diff, write

    if as_diff:
        print_paged(visible(diff(made)) or "Nothing would change.")
        return
    for note in made.notes:
        warn(visible(note))
    write(kb, made)
    click.echo(_report(made))


def _checked(made: "Plan") -> int:
    for change in made.changes:
        click.echo(
            f"{from_home(change.path)} is out of date; bring it up to date with: calmkb export",
            err=True,
        )
    if not made.changes:
        click.echo(_report(made))
    return int(bool(made.changes))


def _report(made: "Plan") -> str:
    return "\n".join(line for planned in made.targets for line in _report_on(planned))


def _report_on(planned: "TargetPlan") -> "Iterator[str]":
    chosen, tokens = planned.digest.selection, planned.digest.tokens
    count, out = len(chosen.items), chosen.crowded_out
    memories, cost = counted(count, "memory", "memories"), f"about {tokens:,} tokens"
    changed = [change for change in planned.changes if change.needed]
    written = [from_home(change.path) for change in changed if change.after is not None]
    if len(written) == 1:
        yield f"Wrote {memories} to {written[0]} ({cost})"
    elif written:
        yield f"Wrote {memories} to {len(written)} files ({cost}):"
        yield from (f"  {path}" for path in written)
    yield from (f"Removed {from_home(change.path)}" for change in changed if change.after is None)
    if not changed:
        yield from _unchanged(planned, f"{memories}, {cost}")
    if out:
        yield f"{out} more had no room; see which with: calmkb export --explain"


def _unchanged(planned: "TargetPlan", memories: str) -> "Iterator[str]":
    chosen = planned.digest.selection
    if not chosen.items and chosen.crowded_out:
        yield f"{planned.target}: no memory fits into the tokens; nothing was written."
    elif not chosen.items:
        yield "No approved memories in scope yet; nothing was written."
    elif planned.changes:
        yield f"{from_home(planned.changes[0].path)} is up to date ({memories})"


def _explain(made: "Plan", *, as_json: bool) -> None:
    from calmkb.kb.export.reading import explained

    if as_json:
        document = {"targets": explained(made), "notes": list(made.notes)}
        click.echo(json_text(document, indent=2))
    else:
        notes = (visible(note) for note in made.notes)
        print_paged("\n\n".join([*map(_explained, made.targets), *notes]))


def _explained(planned: "TargetPlan") -> str:
    chosen, by_hand = planned.digest.selection, planned.digest.handwritten
    bound = f" of {chosen.budget:,}" if chosen.budget else ""
    number = counted(len(chosen.items), "instruction")
    beside = f", {counted(by_hand, 'more line')} by people" if by_hand else ""
    head = f"{planned.target}: about {planned.digest.tokens:,} tokens{bound}, {number}{beside}"
    lines = [click.style(head, bold=True), _COLUMNS]
    weighed = [("in", item, "") for item in chosen.items]
    weighed += [("out", one.item, one.reason) for one in chosen.left_out]
    for state, item, reason in weighed:
        mark = f"  {state:5}{item.worth:<7.2f}{item.tokens:<8}{item.memory.id[:8]}  "
        texts = [mark + " ".join(item.text.split()), " " * len(mark) + reason]
        lines += [hanging(one, column=len(mark)) for one in texts if one.strip()]
    return "\n".join(lines)


def _whole(made: "Plan") -> str:
    """Return the file of the only target; CalmError where there are several targets."""
    outputs = [output for planned in made.targets for output in planned.outputs]
    if len(made.targets) != 1:
        raise CalmError("standard output takes one target; name it with --target")
    texts = [one.front + one.body for one in outputs if one.body]
    return "\n\n".join(text.rstrip("\n") for text in texts) + "\n" if texts else ""
