"""The step of `start` that offers to copy the transcripts."""

from typing import Any

import click

from calmkb.cli.base.common import warn
from calmkb.cli.base.text import counted


def copy(step: Any, _: object) -> None:
    """Offer the copy of the transcripts, since clients delete theirs."""
    from calmkb.wings.archive.verbs.keep import keep
    from calmkb.wings.archive.verbs.status import archive_state

    environment = step.kb().environment
    state = archive_state(environment)
    if not state.on:
        step.say("Transcripts are not copied on this machine; copy them: calmkb agents keep --on")
        return
    if not state.not_kept:
        step.say(f"All {counted(state.client_files, 'transcript')} here are copied already.")
        return
    question = (
        f"Copy {counted(state.not_kept, 'transcript')}, of every project, before the clients "
        "delete them? "
        "An entry is a summary, in git; the copy is every turn, filtered, on this machine "
        "alone, and `calmkb search` finds it."
    )
    if step.yes(question):
        done = keep(environment)
        click.echo(f"Copied {counted(done.new + done.grown, 'session')}.")
        for line in done.left_out[:1]:
            more = len(done.left_out) - 1
            warn(f"{line}; {more} more: calmkb agents keep" if more else line)
