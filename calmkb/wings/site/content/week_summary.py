"""A week in a few lines of Markdown, ready to paste into a chat or an issue."""

import re
from collections.abc import Iterator, Sequence

from calmkb.model import GLOBAL_SCOPE, Memory
from calmkb.model.words import counted
from calmkb.redact.invisible import show_invisible
from calmkb.wings.site.content.weeks import Week
from calmkb.wings.site.text.sanitize import headline

SHOWN = 8  # lines under a heading: a summary that nobody reads to its end helps nobody
_LENGTH = 160
_PINGS = re.compile(r"(?<![\w`])(@[\w-]+|#\d+)")
_MARKUP = re.compile(r"[\\*\[\]<~`]|(?<![^\W_])_|_(?![^\W_])")


def week_summary(week: Week) -> str:
    """Return the week as Markdown without links: its words are text and ping nobody."""
    return "\n\n".join(_blocks(week))


def _blocks(week: Week) -> Iterator[str]:
    yield f"**{week.dates}** (week {week.name})"
    yield _happened(week)
    for heading, lines in (
        ("Learnt", [_rule(memory) for memory in week.memories]),
        ("Decided", list(_decided(week))),
        (
            "Friction",
            [
                _line(f"{met.how}: {met.theme.statement}", counted(met.sessions, "session"))
                for met in week.troubles
            ],
        ),
        ("Done", [_line(step.text, step.project) for step in week.done]),
        ("Open", [_line(step.text, step.project) for step in week.opened]),
    ):
        if lines:
            yield f"**{heading}**\n\n{_listed(lines)}"


def _happened(week: Week) -> str:
    if not week.sessions:
        return "No session."
    where = ", ".join(f"{words(name)} {number:,}" for name, number in week.projects[:SHOWN])
    who = ", ".join(f"{words(name)} {number:,}" for name, number in week.people[:SHOWN])
    sessions = f"{counted(len(week.sessions), 'session')}, {week.before:,} the week before"
    return f"{sessions}: {where}.{f' By {who}.' if who else ''}"


def _decided(week: Week) -> Iterator[str]:
    for reflection in week.reflections:
        kept = counted(reflection.memories_created, "memory", "memories")
        read = len(reflection.entries)  # none where a person only dismissed a trouble
        sessions = f", from {counted(read, 'session')}" if read else ""
        yield f"{kept} kept, {len(reflection.rejected):,} rejected{sessions}"


def _rule(memory: Memory) -> str:
    place = "everywhere" if memory.scope == GLOBAL_SCOPE else memory.scope
    return _line(memory.text, place)


def _line(text: str, place: str) -> str:
    return f"{words(text)}{f' ({words(place)})' if place else ''}"


def words(text: str) -> str:
    """Return the first sentence of `text`: no chat and no issue takes it for markup or a ping."""
    line = _MARKUP.sub(r"\\\g<0>", show_invisible(headline(text, _LENGTH)))
    return _PINGS.sub(r"`\1`", line)


def _listed(lines: Sequence[str]) -> str:
    shown = [f"- {line}" for line in lines[:SHOWN]]
    if len(lines) > SHOWN:
        shown.append(f"- … and {len(lines) - SHOWN:,} more")
    return "\n".join(shown)
