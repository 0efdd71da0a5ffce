"""`calmkb export`: approved memories where agents read them."""

from pathlib import Path

import click

from calmkb.cli.common import kb_from


@click.command()
@click.option("--target", default="claude-md", show_default=True, help="Which kind of file.")
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file; else the target's usual one in the knowledge base's folder.",
)
@click.option("--project", help="Whose memories, beside the global ones; else this project's.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the file is out of date.")
@click.option("--force", is_flag=True, help="Write over a block that was edited by hand.")
@click.pass_context
def export(
    context: click.Context,
    target: str,
    file: Path | None,
    project: str | None,
    check: bool,
    force: bool,
) -> int:
    """Write approved memories into a managed block of CLAUDE.md; the rest of the file stays."""
    from calmkb.kb.digests import export as write

    done = write(
        kb_from(context), target, file=file, project=project, check=check, force=force or check
    )
    if check and done.changed:
        click.echo(f"{done.path} is out of date; bring it up to date with: calmkb export", err=True)
        return 1
    if not done.memories and not done.changed:
        click.echo("No approved memories in scope yet; nothing was written.")
    elif done.changed:
        click.echo(f"Wrote {done.memories} memories to {done.path}")
    else:
        click.echo(f"{done.path} is up to date ({done.memories} memories)")
    return 0
