"""`calmkb init`: a new knowledge base."""

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
@click.option("--pages", is_flag=True, help="Add a workflow that puts the site on GitHub Pages.")
def init(folder: Path, pages: bool) -> None:
    """Make FOLDER (default: here) a knowledge base; existing files are not overwritten.

    A folder outside any git repository becomes a repository of its own.
    """
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.project.init import init as scaffold

    environment = process_environment()
    done = scaffold(environment.cwd / folder.expanduser(), environment, pages=pages)
    for path in done.made:
        click.echo(f"made  {path}")
    for path in done.kept:
        click.echo(f"kept  {path}")
    state = "and committed" if done.committed else "for you to review and commit"
    click.echo(f"\nKnowledge base in {done.root}: {len(done.made)} files made {state}.")
    if any(path.endswith(".yml") and "workflows" in path for path in done.made) and not done.pinned:
        click.echo(
            "calmkb was not installed from its repository, so the step `Install calmkb` of the "
            "workflows fails until you enter an address and a commit there."
        )
    click.echo("Next: calmkb wrapup")
