"""`calmkb init`: a new knowledge base."""

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
def init(folder: Path) -> None:
    """Make FOLDER (default: here) a knowledge base; nothing that stands is written over.

    A folder outside any git repository becomes a repository of its own.
    """
    from calmkb.kb.base import process_world
    from calmkb.kb.scaffold import init as scaffold

    world = process_world()
    done = scaffold(world.cwd / folder.expanduser(), world)
    for path in done.made:
        click.echo(f"made  {path}")
    for path in done.kept:
        click.echo(f"kept  {path}")
    state = "and committed" if done.committed else "for you to look at and commit"
    click.echo(f"\nKnowledge base in {done.root}: {len(done.made)} files made {state}.")
    click.echo("Next: calmkb wrapup")
