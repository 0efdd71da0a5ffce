"""`calmkb site week`: a week in a few lines, to paste into a chat or an issue."""

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_option, json_text


@click.command()
@click.option("--week", default="this", show_default=True, metavar="WEEK",
              help="A week as 2026-W47, or `this` or `last`.")  # fmt: skip
@json_option
@click.pass_context
def week(context: click.Context, week: str, as_json: bool) -> None:
    """Print what a week brought as Markdown: learnt, decided, friction, done, open.

    The page of the week on the site has the same text.
    """
    from calmkb.wings.site.verbs.weeks import week_digest

    name, text = week_digest(kb_from(context), week)
    click.echo(json_text({"week": name, "markdown": text}) if as_json else text)
