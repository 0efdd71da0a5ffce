"""What a run is told of the runs before it: the last in full, the older ones in short."""

from collections.abc import Sequence
from dataclasses import dataclass

from calmkb.model import Message, Run, RunContext, RunEntry

FULL = 3
"""Runs whose messages are given in full: the last completed ones."""


@dataclass(frozen=True, slots=True)
class Past:
    """A completed run with its entries, in their order."""

    run: Run
    entries: Sequence[RunEntry]


def context_of(past: Sequence[Past], *, summary: str = "") -> RunContext:
    """Return what the next run is told of completed runs, oldest first.

    `summary` speaks for all but the last three; it is left out where there are no more.
    """
    recent = [message for item in past[-FULL:] for message in messages_of(item)]
    return RunContext(summary=summary if len(past) > FULL else "", recent_messages=tuple(recent))


def messages_of(past: Past) -> list[Message]:
    """Return the task, and what the agent said and did about it."""
    said = [text for entry in past.entries if (text := _told(entry))]
    return [
        Message(role="user", content=past.run.task),
        *(Message(role="assistant", content=text) for text in said),
    ]


def _told(entry: RunEntry) -> str:
    data = entry.data
    if entry.entry_type == "text":
        return str(data.get("text", ""))
    if entry.entry_type == "tool:complete":
        return f"[Tool: {data.get('toolName', '')}] {data.get('summary', '')}".rstrip()
    if entry.entry_type == "run:complete":
        return str(data.get("message", ""))
    return ""
