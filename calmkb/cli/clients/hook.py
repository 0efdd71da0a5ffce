"""`calmkb hook EVENT`: called by the client. It exits 0 and prints only what the event asks for."""

import click

from calmkb.cli.base.quick import answer_hook


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("event", default="")
@click.option("--export", "export", is_flag=True, help="On SessionStart: refresh the digests.")
def hook(event: str, export: bool) -> None:
    """Handle a hook event (called by the client); its JSON comes on standard input.

    \b
    PostToolUseFailure, SessionEnd, Stop   queues the event, then processes the queue
    PreCompact     captures signals of the session so far
    SessionStart   prints the signals captured before a compaction, or a pending continuation
    """
    answer_hook(event, export=export)
