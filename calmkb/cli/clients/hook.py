"""`calmkb hook EVENT`: what a client's settings run. Exits 0, and says only what was asked for."""

import click

from calmkb.cli.base.quick import answer_hook


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("event", default="")
@click.option("--export", "export", is_flag=True, help="At a start: bring the digests up to date.")
def hook(event: str, export: bool) -> None:
    """Take what a client says of EVENT on standard input.

    \b
    PostToolUseFailure, SessionEnd, Stop   queued, then taken in
    PreCompact     keeps what the session taught so far
    SessionStart   says what was noticed before a compaction, or what was left to be continued
    """
    answer_hook(event, export=export)
