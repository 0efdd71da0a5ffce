"""`calmkb private`: an agent's own journal, from the terminal."""

import sys
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.lazy import TableChoice
from calmkb.errors import CalmError
from calmkb.kb.text import show_invisible

if TYPE_CHECKING:
    from calmkb.wings.private.verbs import PrivateJournal, Which

_which = click.option(
    "--type", "which", type=TableChoice("calmkb.wings.private.verbs:OWNERS"), default="both"
)


@click.group()
@click.option("--journal-path", help="Folder of the project's journal; else JOURNAL_PATH.")
@click.pass_context
def private(context: click.Context, journal_path: str | None) -> None:
    """Read and write the private journal; it never enters git, the site or an export."""
    context.obj = journal_path


@private.command()
@click.option("--reflections", default="", help="Your reflections.")
@click.option("--observations", default="", help="What you noticed.")
@click.option("--project-notes", default="", help="About this project; kept in its folder.")
@click.option("--user-context", default="", help="About the person you work with.")
@click.option("--technical-insights", default="", help="About software engineering.")
@click.option("--world-knowledge", default="", help="About anything else.")
@click.option("--feelings", default="", help="The name that version 1 used.")
@click.pass_context
def write(context: click.Context, /, **thoughts: str) -> None:
    """Write an entry; `-` for a section reads it from standard input."""
    texts = {key: sys.stdin.read() if text == "-" else text for key, text in thoughts.items()}
    for path in _journal(context).write(texts, note=warn):
        click.echo(path)


@private.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@click.option("--section", "sections", multiple=True, help="Only entries with a heading like this.")
@_which
@click.pass_context
def search(
    context: click.Context, query: str, limit: int, sections: tuple[str, ...], which: "Which"
) -> None:
    """Find entries similar to a text."""
    from calmkb.wings.private.answers import search_answer

    found = _journal(context).search(query, limit=limit, which=which, sections=sections)
    click.echo(show_invisible(search_answer(found, query)))


@private.command()
@click.argument("path")
@click.pass_context
def read(context: click.Context, path: str) -> None:
    """Print an entry."""
    click.echo(show_invisible(_journal(context).read(path)), nl=False)


@private.command()
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@click.option("--days", type=click.IntRange(1), default=30, show_default=True)
@click.option("--full", is_flag=True, help="Print full entries.")
@_which
@click.pass_context
def recent(context: click.Context, limit: int, days: int, full: bool, which: "Which") -> None:
    """List the newest entries."""
    from calmkb.wings.private.answers import recent_answer, texts_answer

    found = _journal(context).recent(limit=limit, which=which, days=days)
    click.echo(show_invisible(texts_answer(found) if full else recent_answer(found, days)))


@private.command()
@click.option("--replace", is_flag=True, help="Also replace the embeddings of another model.")
@click.pass_context
def embed(context: click.Context, replace: bool) -> None:
    """Make the embeddings that are missing or broken."""
    journal = _journal(context)
    if journal.embed is None:
        from calmkb.kb.project.install_source import install_extra

        raise CalmError(f"the embedding model is missing: {install_extra('semantic')}")
    click.echo(f"Made {journal.embed_missing(replace_foreign=replace)} embeddings.")


def _journal(context: click.Context) -> "PrivateJournal":
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.points import embedder
    from calmkb.wings.private.verbs import open_private

    return open_private(process_environment(), project_option=context.obj, embed=embedder())
