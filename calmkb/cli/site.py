"""`calmkb site`: the journal as pages to click through."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.lazy import TableChoice
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase

_NAMED = 5
"""How many files a note names."""


@click.group()
def site() -> None:
    """Build or serve the browsable site."""


@site.command()
@click.option("--output", type=click.Path(path_type=Path, file_okay=False),
              help="Where it goes; else site/ in the knowledge base.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Fail on a warning, such as a link to nothing.")
@click.option("--offline", is_flag=True, help="Make a copy that opens from disk, search included.")
@click.option("--rebuild", is_flag=True, help="Make every page again, whatever was built before.")
@click.option("--engine", type=TableChoice("calmkb.site.builder.engines:ENGINES"), default="mkdocs",
              show_default=True, help="What makes pages of the Markdown.")  # fmt: skip
@click.pass_context
def build(
    context: click.Context,
    output: Path | None,
    strict: bool,
    offline: bool,
    rebuild: bool,
    engine: str,
) -> None:
    """Build the site: the pages that changed since it was built last."""
    from calmkb.site.builder.engines import build_with

    kb = _trusted_kb(context)
    built = build_with(
        engine, kb.root, state=kb.environment.state, output=output, strict=strict, offline=offline,
        rebuild=rebuild,
    )  # fmt: skip
    changed = f"{built.changed:,} file{'s' * (built.changed != 1)} changed"
    click.echo(f"Built the site in {built.folder}: {changed}.")
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
    from calmkb.site.builder.stage_folder import stage_into

    kb = _trusted_kb(context)
    written = stage_into(kb.root, folder, kb.environment.state)
    changed = f"{written.changed:,} file{'s' * (written.changed != 1)} changed"
    click.echo(f"Staged {len(written.uris):,} pages in {folder}: {changed}.")
    _name_left(written.left, written.folder)


@site.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.pass_context
def check(context: click.Context, folder: Path | None) -> None:
    """Look at a built site before it is published.

    Pages made from records must hold nothing that runs or loads but what the theme puts on each of
    them, and no link may lead to nowhere. FOLDER is what was built; else where `site build` puts
    it. Exit code 1 on a fault; a page too heavy for a phone is named only.
    """
    from calmkb.site.builder.check import check_site

    if folder is None:
        from calmkb.kb.trust.site_code import site_folder

        folder = site_folder(kb_from(context).root)
    found = check_site(folder)
    for finding in found.findings:
        click.echo(visible(f"{finding.path}: {finding.what}; {finding.fix}"))
    looked = f"{found.pages:,} pages, {found.made:,} of them made from records"
    if found.faults:
        raise CalmError(f"{found.faults:,} fault{'s' * (found.faults != 1)} in {looked}")
    click.echo(f"No fault in {looked}.")


@site.command()
@click.option("--address", default="127.0.0.1:8000", show_default=True, metavar="HOST:PORT")
@click.pass_context
def serve(context: click.Context, address: str) -> None:
    """Serve the site and rebuild it when the journal changes; stop with Ctrl-C."""
    from calmkb.kb.trust.site_code import require_site
    from calmkb.site.builder.preview import serve_site

    kb = _trusted_kb(context)
    serve_site(kb.root, address=address, state=kb.environment.state, check=lambda: require_site(kb))


def _trusted_kb(context: click.Context) -> "KnowledgeBase":
    """Return the knowledge base, its settings for MkDocs approved or with no code of their own."""
    from calmkb.kb.trust.site_code import require_site

    kb = kb_from(context)
    require_site(kb)
    return kb


def _name_left(left: tuple[str, ...], folder: Path) -> None:
    """Name files that are published with a site though calmkb did not build them."""
    if left:
        more = f" and {len(left) - _NAMED:,} more" if len(left) > _NAMED else ""
        files = f"{len(left):,} file{'s' * (len(left) != 1)} in {folder}"
        note = f"{files} that calmkb did not build: {', '.join(left[:_NAMED])}{more}"
        click.echo(visible(f"Left alone: {note}."), err=True)
