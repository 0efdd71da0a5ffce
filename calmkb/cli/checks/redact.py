"""`calmkb redact`: try the secret filter that every record goes through."""

import sys
from pathlib import Path

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import print_json
from calmkb.cli.base.text import counted
from calmkb.kb.journal.raw_log import filtered, read_log


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="Print the text and the counts as JSON.")
@click.option(
    "--json-lines/--text",
    default=None,
    help="Redact inside JSON values, line by line; the default for names in .jsonl and .json.",
)
@click.pass_context
def redact(context: click.Context, file: str, *, as_json: bool, json_lines: bool | None) -> int:
    """Print FILE (or standard input) as calmkb would keep it, and which rules matched."""
    data = sys.stdin.buffer.read() if file == "-" else read_log(Path(file))
    if json_lines is None:
        json_lines = file.endswith((".jsonl", ".json"))
    clean, hits = filtered(kb_from(context), data, json_lines=json_lines)
    if as_json:
        print_json({"changed": clean != data, "hits": hits, "text": clean.decode()})
        return 0
    sys.stdout.buffer.write(clean)
    sys.stdout.flush()
    for name, count in hits.items():
        click.echo(f"{name}: {count}", err=True)
    click.echo(f"{counted(sum(hits.values()), 'secret')} removed", err=True)
    return 0
