"""`calmkb site`: the journal as pages to click through."""

from pathlib import Path

import click

from calmkb.cli.common import kb_from


@click.group()
def site() -> None:
    """Build or serve the browsable site."""


@site.command()
@click.option("--output", type=click.Path(path_type=Path, file_okay=False),
              help="Where it goes; else site/ in the knowledge base.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Fail on a warning, such as a link to nothing.")
@click.option("--offline", is_flag=True, help="Make a copy that opens from disk, search included.")
@click.option("--anew", is_flag=True, help="Make every page again, whatever was built before.")
@click.pass_context
def build(
    context: click.Context, output: Path | None, strict: bool, offline: bool, anew: bool
) -> None:
    """Build the site: the pages that changed since it was built last."""
    from calmkb.serve.site_build import build_site

    kb = kb_from(context)
    built = build_site(kb.root, output=output, strict=strict, offline=offline, anew=anew)
    changed = f"{built.changed:,} file{'s' * (built.changed != 1)} changed"
    click.echo(f"Built the site in {built.folder}: {changed}.")
    if offline:
        click.echo(f"Open {built.folder / 'index.html'}")


@site.command()
@click.option("--address", default="127.0.0.1:8000", show_default=True, metavar="HOST:PORT")
@click.pass_context
def serve(context: click.Context, address: str) -> None:
    """Serve the site and rebuild it when the journal changes; stop with Ctrl-C."""
    from calmkb.serve.site_preview import serve_site

    kb = kb_from(context)
    serve_site(kb.root, address=address, folder=kb.world.state / "preview")
