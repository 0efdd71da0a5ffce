"""Which pages there are, and what each is given; how they look is the templates' business."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from calmkb.site.addresses import month_of, month_uri
from calmkb.site.catalogue import Catalogue, grouped
from calmkb.site.sanitise import headline, label

RECURRING = 2
TAGGED_SESSIONS = 50
THEMES_SHOWN = 100
LONE_THEMES_SHOWN = 200
IMPROVEMENTS_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Page:
    """One page to be: its address, its template, its front matter and what it shows."""

    uri: str
    template: str
    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    searchable: bool = True
    values: dict[str, Any] = field(default_factory=dict)


def pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield every page of the site."""
    yield Page("index.md", "home", searchable=False)
    yield Page("sessions/index.md", "sessions", searchable=False)
    yield from _months(catalogue)
    yield from _projects(catalogue)
    yield from _sessions(catalogue)
    yield _friction(catalogue)
    yield Page("memories/index.md", "memories", searchable=False)
    yield from _memories(catalogue)
    yield Page("reflections/index.md", "reflections", searchable=False)
    yield from _reflections(catalogue)
    if catalogue.holdings.improvements:
        values: dict[str, Any] = {"board": catalogue.improvements, "shown": IMPROVEMENTS_SHOWN}
        yield Page("improvements.md", "improvements", values=values)
    if catalogue.holdings.figures and catalogue.sessions:
        values = {"figures": catalogue.holdings.figures}
        yield Page("statistics.md", "statistics", searchable=False, values=values)
    yield Page("tags.md", "tags", searchable=False)
    if catalogue.holdings.problems:
        yield Page("problems.md", "problems")


def _months(catalogue: Catalogue) -> Iterator[Page]:
    for views in catalogue.months.values():
        first = views[0].entry
        values = {"views": views, "first": first}
        yield Page(month_uri(first), "month", searchable=False, values=values)


def _projects(catalogue: Catalogue) -> Iterator[Page]:
    for name, views in catalogue.projects.items():
        memories = [m for m in catalogue.memories if m.scope == name]
        months = grouped(views, lambda view: month_of(view.entry))
        yield Page(
            catalogue.project_uris[name],
            "project",
            title=name or "No project",
            tags=(name,),
            searchable=False,
            values={"name": name, "views": views, "memories": memories, "months": months},
        )


def _sessions(catalogue: Catalogue) -> Iterator[Page]:
    # The tags page lists every tagged page: older sessions are left to their project's page.
    recent = {v.entry.id for vs in catalogue.projects.values() for v in vs[:TAGGED_SESSIONS]}
    for view in catalogue.sessions:
        entry = view.entry
        before, after = catalogue.neighbours[entry.id]
        yield Page(
            catalogue.entry_uris[entry.id],
            "session",
            title=headline(entry.summary),
            description=headline(entry.summary, 160),
            tags=(entry.project_name,) if entry.id in recent else (),
            values={"view": view, "entry": entry, "before": before, "after": after},
        )


def _memories(catalogue: Catalogue) -> Iterator[Page]:
    for memory in catalogue.memories:
        scope = () if memory.scope not in catalogue.projects else (memory.scope,)
        yield Page(
            catalogue.memory_uris[memory.id],
            "memory",
            title=headline(memory.text, 110),
            description=headline(memory.text, 160),
            tags=(memory.category, *scope, *memory.tags),
            values={"memory": memory},
        )


def _reflections(catalogue: Catalogue) -> Iterator[Page]:
    for reflection in catalogue.reflections:
        values = {"reflection": reflection}
        yield Page(catalogue.reflection_uris[reflection.id], "reflection", values=values)


def _friction(catalogue: Catalogue) -> Page:
    """Recurring themes in full; the long tail of lone ones as a list, so the page stays light."""
    recurring = [t for t in catalogue.themes if t.sessions >= RECURRING]
    lone = [t for t in catalogue.themes if t.sessions < RECURRING]
    values = {
        "recurring": recurring[:THEMES_SHOWN],
        "lone": lone[:LONE_THEMES_SHOWN],
        "left_out": max(0, len(recurring) - THEMES_SHOWN) + max(0, len(lone) - LONE_THEMES_SHOWN),
    }
    return Page("friction.md", "friction", values=values)


def front_matter(page: Page) -> dict[str, Any]:
    """Return what a theme reads from the page: escaped, for themes copy it into HTML as it is."""
    front: dict[str, Any] = {"generated_by": "calmkb", "hide": ["navigation", "toc"]}
    if page.template in ("session", "project"):
        front["hide"].append("tags")  # The one tag is the project, which the page itself names.
    # Without it, themes take the heading, undo its escaping and put it into <title>.
    if page.title:
        front["title"] = label(page.title, 120)
    if page.description:
        front["description"] = label(page.description, 160)
    if tags := [label(tag, 60) for tag in dict.fromkeys(page.tags) if tag.strip()]:
        front["tags"] = list(dict.fromkeys(tags))
    if not page.searchable:
        front["search"] = {"exclude": True}
    return front
