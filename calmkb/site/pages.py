"""Which pages there are, and what each is given; how they look is the templates' business."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from calmkb.model import SessionView
from calmkb.site.addresses import day_uri, month_of, month_uri
from calmkb.site.catalogue import Catalogue, grouped

RECURRING = 2
THEMES_SHOWN = 100
LONE_THEMES_SHOWN = 200
IMPROVEMENTS_SHOWN = 60
COVERED_SHOWN = 200
MONTH_SHOWN = 200
DAY_SHOWN = 500
TAG_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Page:
    """One page to be: its address, its template and what it shows.

    A page that is a `view` may show anything of the catalogue, so it is printed each time; any
    other shows its `values` alone, and is printed again only when these have changed.
    """

    uri: str
    template: str
    values: dict[str, Any] = field(default_factory=dict)
    view: bool = False


def pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield every page of the site."""
    yield Page("index.md", "home", view=True)
    yield Page("sessions/index.md", "sessions", view=True)
    yield from _months(catalogue)
    yield from _projects(catalogue)
    yield from _sessions(catalogue)
    yield _friction(catalogue)
    yield Page("memories/index.md", "memories", view=True)
    yield from _memories(catalogue)
    yield Page("reflections/index.md", "reflections", view=True)
    yield from _reflections(catalogue)
    if catalogue.holdings.improvements:
        values: dict[str, Any] = {"board": catalogue.improvements, "shown": IMPROVEMENTS_SHOWN}
        yield Page("improvements.md", "improvements", values)
    if catalogue.holdings.figures and catalogue.sessions:
        yield Page("statistics.md", "statistics", {"figures": catalogue.holdings.figures})
    yield Page("tags.md", "tags", {"tags": catalogue.tags, "shown": TAG_SHOWN})
    if catalogue.holdings.problems:
        yield Page("problems.md", "problems", view=True)


def _months(catalogue: Catalogue) -> Iterator[Page]:
    """A month of many sessions is a list of its days, so that no page grows without end."""
    for views in catalogue.months.values():
        first = views[0].entry
        days: list[tuple[str, datetime, int]] = []
        if len(views) > MONTH_SHOWN:
            for uri, group in grouped(views, lambda view: day_uri(view.entry)).items():
                days.append((uri, group[0].entry.created_at, len(group)))
                yield _day(uri, group)
        values = {
            "number": len(views),
            "first": first.created_at,
            "views": () if days else views,
            "days": days,
        }
        yield Page(month_uri(first), "month", values)


def _day(uri: str, views: list[SessionView]) -> Page:
    left_out = max(0, len(views) - DAY_SHOWN)
    values = {"views": views[:DAY_SHOWN], "first": views[0].entry, "left_out": left_out}
    return Page(uri, "day", values)


def _projects(catalogue: Catalogue) -> Iterator[Page]:
    for name, views in catalogue.projects.items():
        memories = [m for m in catalogue.memories if m.scope == name]
        months = grouped(views, lambda view: month_of(view.entry))
        values = {"name": name, "views": views, "memories": memories, "months": months}
        yield Page(catalogue.project_uris[name], "project", values, view=True)


def _sessions(catalogue: Catalogue) -> Iterator[Page]:
    for view in catalogue.sessions:
        entry = view.entry
        before, after = catalogue.neighbours[entry.id]
        values = {
            "view": view,
            "entry": entry,
            "before": before and before.entry,
            "after": after and after.entry,
            "memories": catalogue.memories_of.get(entry.id, ()),
            "reflections": catalogue.reflections_of.get(entry.id, ()),
        }
        yield Page(catalogue.addresses[entry.id], "session", values)


def _memories(catalogue: Catalogue) -> Iterator[Page]:
    for memory in catalogue.memories:
        quoted = {evidence.source for evidence in memory.evidence}
        others = [source for source in memory.sources if source not in quoted]
        known = catalogue.entry_by_id
        values = {
            "memory": memory,
            "others": [known[source].entry for source in others if source in known],
            "vitals": catalogue.holdings.vitals.get(memory.id),
            "successors": catalogue.successors.get(memory.id, ()),
            "supersedes": catalogue.memory_by_id.get(memory.supersedes),
            "reflections": catalogue.reflections_by_memory.get(memory.id, ()),
        }
        yield Page(catalogue.addresses[memory.id], "memory", values)


def _reflections(catalogue: Catalogue) -> Iterator[Page]:
    for reflection in catalogue.reflections:
        kept = [catalogue.memory_by_id.get(name) for name in reflection.memories]
        covered = [(name, catalogue.entry_by_id.get(name)) for name in reflection.entries]
        values = {
            "reflection": reflection,
            "kept": [memory for memory in kept if memory],
            "covered": [(name, view and view.entry) for name, view in covered[:COVERED_SHOWN]],
            "left_out": max(0, len(covered) - COVERED_SHOWN),
        }
        yield Page(catalogue.addresses[reflection.id], "reflection", values)


def _friction(catalogue: Catalogue) -> Page:
    """Recurring themes in full; the long tail of lone ones as a list, so the page stays light."""
    recurring = [t for t in catalogue.themes if t.sessions >= RECURRING]
    lone = [t for t in catalogue.themes if t.sessions < RECURRING]
    values = {
        "recurring": recurring[:THEMES_SHOWN],
        "lone": lone[:LONE_THEMES_SHOWN],
        "left_out": max(0, len(recurring) - THEMES_SHOWN) + max(0, len(lone) - LONE_THEMES_SHOWN),
    }
    return Page("friction.md", "friction", values, view=True)
