"""`calmkb site`: the knowledge base as a website, and a week of it as text."""

from pathlib import Path

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import counted, from_home, visible
from calmkb.errors import CalmError

_NAMED = 5  # files in a note

_COMMANDS = {"week": ("calmkb.wings.site.commands.week:week", "Print what a week brought.")}


@click.group(cls=LazyGroup, table=_COMMANDS)
def site() -> None:
    """Build or serve the browsable site; print a week of it."""


@site.command()
@click.option("--output", type=click.Path(path_type=Path, file_okay=False),
              help="Where it goes; else site/ in the knowledge base.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Fail on a warning, such as a link to nothing.")
@click.option("--offline", is_flag=True, help="Make a copy that opens from disk, search included.")
@click.option("--rebuild", is_flag=True, help="Make every page again, whatever was built before.")
@click.pass_context
def build(
    context: click.Context, output: Path | None, strict: bool, offline: bool, rebuild: bool
) -> None:
    """Build the site: the pages that changed since it was built last."""
    from calmkb.wings.site.verbs import building

    built = building.build(
        kb_from(context), output=output, strict=strict, offline=offline, rebuild=rebuild
    )
    changed = counted(built.changed, "file")
    click.echo(f"Built the site in {from_home(built.folder)}: {changed} changed.")
    _name_left(built.left, built.folder)
    if offline:
        click.echo(f"Open {built.folder / 'index.html'}")


@site.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.pass_context
def stage(context: click.Context, folder: Path) -> None:
    """Write the pages as Markdown files into FOLDER, with settings for MkDocs or Zensical.

    Only files that changed are written. Files that calmkb did not write stay.
    """
    from calmkb.wings.site.verbs import building

    written, pages = building.stage(kb_from(context), folder)
    changed = counted(written.changed, "file")
    click.echo(f"Staged {pages:,} pages in {from_home(folder)}: {changed} changed.")
    _name_left(written.left, written.folder)


@site.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.pass_context
def check(context: click.Context, folder: Path | None) -> None:
    """Look at a built site before it is published.

    Pages made from records must hold nothing that runs or loads but what the theme puts on each of
    them, and no link may lead to nowhere. FOLDER is what was built; else where `site build` puts
    it. Exit code 1 on a fault.
    """
    from calmkb.wings.site.verbs import building

    found = building.check(kb_from(context), folder)
    for finding in found.findings:
        click.echo(visible(f"{finding.path}: {finding.what}; {finding.fix}"))
    looked = f"{found.pages:,} pages, {found.made:,} of them made from records"
    if found.findings:
        raise CalmError(f"{counted(len(found.findings), 'fault')} in {looked}")
    click.echo(f"No fault in {looked}.")


@site.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True)
@click.pass_context
def serve(context: click.Context, host: str, port: int) -> None:
    """Serve the site, rebuilt at each change."""
    from calmkb.wings.site.verbs import building

    place = f"{host}:{port}"
    building.serve(kb_from(context), place, report=lambda line: click.echo(visible(line)))


def _name_left(left: tuple[str, ...], folder: Path) -> None:
    """Name files that are published with a site though calmkb did not build them."""
    if left:
        more = f" and {len(left) - _NAMED:,} more" if len(left) > _NAMED else ""
        files = f"{counted(len(left), 'file')} in {folder} that calmkb did not build"
        click.echo(visible(f"Left alone: {files}: {', '.join(left[:_NAMED])}{more}."), err=True)
