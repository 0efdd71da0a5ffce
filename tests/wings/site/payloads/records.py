"""A knowledge base whose every field that takes text holds a payload.

What a record has many of, holds all payloads; what it has one of, the telling ones.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from calmkb.model import (
    Entry,
    Evidence,
    Library,
    Memory,
    Reflection,
    Rejection,
    Section,
    SessionView,
    Theme,
)
from tests.wings.site import sample
from tests.wings.site.hostile import hostile_library

BATCH = 48
"""Payloads that one record holds of a kind."""


def payload_library(every: Sequence[str], telling: Sequence[str]) -> Library:
    """Return a library in which each of `telling` is a session or a memory, and some are a theme.

    The one text that makes a session and the one that makes a memory go the same ways to a page.
    """
    batches = [tuple(every[at : at + BATCH]) for at in range(0, len(every), BATCH)]
    entries = [_entry(n, text, _of(batches, n)) for n, text in enumerate(telling[::2])]
    reflections = [_reflection(n, batch, entries[n].id) for n, batch in enumerate(batches)]
    memories = [
        _memory(n, text, _of(batches, n), entries[n].id) for n, text in enumerate(telling[1::2])
    ]
    themed = list(enumerate(telling[::2]))[::4]
    return replace(
        hostile_library(),
        sessions=tuple(SessionView(entry=entry) for entry in reversed(entries)),
        memories=tuple(reversed(memories)),
        reflections=tuple(reversed(reflections)),
        themes=tuple(_theme(n, text, entries[n].id) for n, text in themed),
    )


def _of(batches: Sequence[tuple[str, ...]], number: int) -> tuple[str, ...]:
    """Each batch once; records beyond them hold none."""
    return batches[number] if number < len(batches) else ()


def one_line(text: str) -> str:
    """Return a payload as a field of one line may hold it."""
    return text.replace("\n", " ")[:1000]


def _entry(number: int, text: str, batch: tuple[str, ...]) -> Entry:
    return Entry(
        id=sample.made_id(f"payload-entry-{number}"),
        created_at=sample.START + timedelta(minutes=number),
        summary=text if number % 2 else f"{text}\n\nAnd then some words.",
        project_name=one_line(text) if number % 4 == 1 else "storefront",
        agent=one_line(text) if number % 4 == 3 else "claude-code",
        session_id=one_line(text),
        working_directory=one_line(text),
        friction_points=batch[::2],
        next_steps=batch[1::2],
        sections=tuple(Section(one_line(one), one) for one in batch),
    )


def _memory(number: int, text: str, batch: tuple[str, ...], source: str) -> Memory:
    return Memory(
        id=sample.made_id(f"payload-memory-{number}"),
        created_at=sample.START + timedelta(days=30, minutes=number),
        text=text,
        category="fact",
        scope=one_line(text),
        why=text,
        approved_by=one_line(text),
        supersedes=one_line(text),
        paths=("src" + one_line(text).replace("/", "")[:900],),
        evidence=tuple(
            Evidence(quote=one, source=source, date=one_line(one), project=one_line(one))
            for one in batch
        ),
        sources=(source,),
        tags=(one_line(text),),
        sections=(Section(one_line(text), text),),
    )


def _reflection(number: int, batch: tuple[str, ...], source: str) -> Reflection:
    return Reflection(
        id=sample.made_id(f"payload-reflection-{number}"),
        created_at=sample.START + timedelta(days=60, minutes=number),
        entries=(source, *map(one_line, batch[:1])),
        reviewed_by=one_line(batch[0]),
        accepted=batch[:5],
        rejected=tuple(Rejection(text=one, evidence="0", reason=one) for one in batch),
        sections=tuple(Section(one_line(one), one) for one in batch[:5]),
    )


def _theme(number: int, text: str, source: str) -> Theme:
    quotes = (Evidence(quote=text, source=source, date=one_line(text), project=one_line(text)),)
    return Theme(id=text, statement=text, evidence=quotes, sessions=1 + number % 3)
