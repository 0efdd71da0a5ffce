"""`calmkb digest`: a week in a few lines, to paste into a chat or an issue."""

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_text


@click.command()
@click.option("--week", default="this", show_default=True, metavar="WEEK",
              help="A week as 2026-W47, or `this` or `last`.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def digest(context: click.Context, week: str, as_json: bool) -> None:
    """Print what a week brought as Markdown: learnt, decided, friction, done, open.

    The page of the week on the site has the same text.
    """
    from calmkb.kb.site.weeks import week_digest

    name, text = week_digest(kb_from(context), week)
    if as_json:
        row = {"week": name, "markdown": text}
        click.echo(json_text(row))
    else:
        click.echo(text)
