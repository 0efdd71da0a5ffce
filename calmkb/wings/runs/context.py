"""The context of a run: the last runs of its session in full, a summary of the older ones."""

from collections.abc import Sequence

from calmkb.model.words import counted, short_line
from calmkb.wings.runs.model import Message, Run, RunContext, RunEntry

FULL = 3  # runs whose messages are given in full: the last completed ones
CHARACTERS = 60_000
"""The most characters of all messages together, about 15,000 tokens; the newest are kept."""
SUMMARY_CHARACTERS = 6_000
_LINE = 200
_CUT = "[…] "
_WORDS = {"text": "text", "run:complete": "message"}
"""The field of an entry that is a message as it stands."""


def context_of(past: Sequence[tuple[Run, Sequence[RunEntry]]], *, summary: str = "") -> RunContext:
    """Return the context of the next run: the messages of `past` (oldest first) and a summary.

    `past` are at most the last three completed runs, each with its entries; `summary` is about
    those before them.
    """
    messages = [one for run, entries in past[-FULL:] for one in messages_of(run, entries)]
    return RunContext(summary=summary, recent_messages=tuple(_bounded(messages)))


def messages_of(run: Run, entries: Sequence[RunEntry]) -> list[Message]:
    """Return the task, and what the agent wrote and did; a closing message only if it is new."""
    texts: list[str] = []
    for entry in entries:
        text = _message(entry)
        if entry.entry_type == "run:error" and run.status != "completed":
            text = f"[This run ended early: {entry.data.get('error') or 'no reason given'}]"
        is_repeat = texts and texts[-1].strip() == text.strip()
        if text and not (is_repeat and entry.entry_type == "run:complete"):
            texts.append(text)
    return [
        Message(role="user", content=run.task),
        *(Message(role="assistant", content=text) for text in texts),
    ]


def summarise(runs: Sequence[Run]) -> str:
    """Return a line for each run, oldest first: its task and its result.

    Each is cut to 200 characters; of very many runs the newest are kept and the others counted.
    The same runs give the same bytes.
    """
    lines = [f"- {short_line(run.task, _LINE)} → {short_line(run.outcome, _LINE)}" for run in runs]
    kept: list[str] = []
    room = SUMMARY_CHARACTERS
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    head = [f"({counted(left, 'earlier run')} left out)"] if left else []
    return "\n".join([*head, *reversed(kept)])


def as_prompt(context: RunContext, task: str) -> str:
    """Return a task with its context as one text, for agents that take only text."""
    parts = []
    if context.summary:
        parts.append(f"Earlier in this conversation, in short:\n{context.summary}")
    if context.recent_messages:
        names = {"user": "User", "assistant": "You"}
        messages = "\n\n".join(f"{names[m.role]}: {m.content}" for m in context.recent_messages)
        parts.append(f"The conversation so far:\n\n{messages}")
    return "\n\n".join([*parts, f"The task now:\n\n{task}"]) if parts else task


def _message(entry: RunEntry) -> str:
    data = entry.data
    if entry.entry_type == "tool:complete":
        return f"[Tool: {data.get('toolName', '')}] {data.get('summary', '')}".rstrip()
    field = _WORDS.get(entry.entry_type)
    return str(data.get(field) or "") if field else ""


def _bounded(messages: Sequence[Message]) -> list[Message]:
    kept: list[Message] = []
    room = CHARACTERS
    for message in reversed(messages):
        if len(message.content) > room:
            if room > len(_CUT):
                tail = message.content[-(room - len(_CUT)) :]
                kept.append(Message(role=message.role, content=_CUT + tail))
            break
        kept.append(message)
        room -= len(message.content)
    return kept[::-1]
