"""Records as feed items: a headline, a summary line, and the text as sanitized HTML."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from calmkb.model import GLOBAL_SCOPE, Entry, Memory, Reflection, in_utc
from calmkb.model.words import counted
from calmkb.redact.invisible import show_invisible
from calmkb.site.content.week_summary import week_summary
from calmkb.site.content.weeks import Week
from calmkb.site.pictures.periods import day_name
from calmkb.site.text.sanitize import clean_html, headline, prose
from calmkb.site.text.titles import memory_title, session_title

Kind = Literal["session", "memory", "reflection", "week"]

_TITLE, _SUMMARY = 110, 300
# What XML 1.0 cannot hold at all, halves of characters included.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One record in a feed: `title` and `summary` are plain text, `text` is the record's Markdown.

    `url` is absolute, `published` has a time zone.
    """

    id: str
    title: str
    url: str
    kind: Kind
    published: datetime
    tags: tuple[str, ...] = ()
    summary: str = ""
    text: str = ""


def items_of(
    sessions: Iterable[Entry],
    memories: Iterable[Memory],
    reflections: Iterable[Reflection],
    url_of: Callable[[Entry | Memory | Reflection], str],
) -> list[Item]:
    """Return an item a record, in the order given; `url_of` returns a page's absolute address."""
    return [
        *(_session(entry, url_of(entry)) for entry in sessions),
        *(_memory(memory, url_of(memory)) for memory in memories),
        *(_reflection(reflection, url_of(reflection)) for reflection in reflections),
    ]


def week_items(found: Iterable[Week], url_of: Callable[[str], str], today: date) -> list[Item]:
    """Return an item a week that is over; `url_of` returns the address of the page of its name."""
    return [
        Item(
            id=week.name,
            title=f"Week {week.name}",
            url=url_of(week.name),
            kind="week",
            published=datetime.combine(week.sunday + timedelta(days=1), time(), UTC),
            summary=counted(len(week.sessions), "session"),
            text=week_summary(week),
        )
        for week in found
        if week.sunday < today
    ]


def xml_safe(text: str) -> str:
    """Return `text` as XML can hold it: invisible and forbidden characters are spelled out."""
    return _FORBIDDEN.sub(lambda match: f"\u2039U+{ord(match[0]):04X}\u203a", show_invisible(text))


def content(item: Item) -> str:
    """Return the words of an item as HTML: paragraphs, lists and code, nothing that acts."""
    from markdown import markdown

    return clean_html(markdown(prose(xml_safe(item.text)), output_format="html"))


def _session(entry: Entry, url: str) -> Item:
    text = entry.summary
    for heading, points in (("Friction", entry.friction_points), ("Next steps", entry.next_steps)):
        text += _listed(heading, points)
    return Item(
        id=entry.id,
        title=session_title(entry.summary, _TITLE),
        url=url,
        kind="session",
        published=entry.created_at,
        tags=(entry.project_name,),
        summary=headline(entry.summary, _SUMMARY),
        text=text,
    )


def _memory(memory: Memory, url: str) -> Item:
    scope = () if memory.scope == GLOBAL_SCOPE else (memory.scope,)
    return Item(
        id=memory.id,
        title=memory_title(memory.text, _TITLE),
        url=url,
        kind="memory",
        published=memory.created_at,
        tags=(memory.category, *scope, *memory.tags),
        summary=headline(memory.text, _SUMMARY),
        text=f"{memory.text}\n\n{memory.why}".strip(),
    )


def _reflection(reflection: Reflection, url: str) -> Item:
    summary = (
        f"{counted(reflection.memories_created, 'memory', 'memories')} kept,"
        f" {len(reflection.rejected):,} rejected,"
        f" from {counted(len(reflection.entries), 'session')}"
    )
    rejected = [rejection.text for rejection in reflection.rejected]
    lists = _listed("Kept", reflection.accepted) + _listed("Rejected", rejected)
    return Item(
        id=reflection.id,
        title=f"Reflection of {day_name(in_utc(reflection.created_at).date())}",
        url=url,
        kind="reflection",
        published=reflection.created_at,
        summary=f"{summary}.",
        text=f"{summary}.{lists}",
    )


def _listed(heading: str, points: Iterable[str]) -> str:
    """Return a bold line and bullets, in Markdown; nothing without a point."""
    bullets = "\n".join("- " + point.strip().replace("\n", "\n    ") for point in points)
    return f"\n\n**{heading}**\n\n{bullets}" if bullets else ""
