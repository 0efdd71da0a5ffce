"""The pages of sessions: each one, months and days, projects, and the files they changed."""

from collections.abc import Iterator
from datetime import datetime

from calmkb.model import Entry, SessionView
from calmkb.model.sessions.kept import resume_command
from calmkb.wings.site.content.addresses import day_uri, file_uri, month_of, month_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.content.grouping import grouped
from calmkb.wings.site.pages.agents_read import digest_uris
from calmkb.wings.site.pages.page import Page, leaves
from calmkb.wings.site.pages.to_do import WAITING
from calmkb.wings.site.text.titles import session_title
from calmkb.wings.site.text.words import day, month

MONTH_SHOWN, A_PAGE = 200, 40
"""Sessions of a month that is told by days from there on; sessions on a page of a month or day."""
PROJECTS_SHOWN = 12
PROJECTS_A_PAGE = 80
PROJECT_SESSIONS = 12
PROJECT_MEMORIES = 6
THEMES_SHOWN = 8
MONTHS_SHOWN = 120
WAITING_A_PAGE, WAITING_SHOWN = 40, 600
FILES_A_PAGE, FILE_SESSIONS = 80, 40


def session_pages(catalogue: Catalogue, friction: Friction) -> Iterator[Page]:
    """Yield the index, the months and the sessions."""
    values = {"shown": PROJECTS_SHOWN}
    yield Page(
        "sessions/index.md", "sessions", values, shows_all=True, title="Sessions", nav="Sessions"
    )
    yield from _waiting(catalogue)
    yield from _months(catalogue)
    for view in catalogue.sessions:
        yield _session(catalogue, friction, view)


def project_pages(catalogue: Catalogue, friction: Friction) -> Iterator[Page]:
    """Yield the list of projects, and a page for each."""
    listed = [
        (name, len(views), views[0].entry.created_at) for name, views in catalogue.projects.items()
    ]
    for uri, leaf, some in leaves("projects/index.md", listed, PROJECTS_A_PAGE):
        values = {"projects": list(some), "leaf": leaf, "number": len(listed)}
        nav = "Projects" if len(listed) > 1 and not leaf.earlier else ""
        yield Page(uri, "projects", values, title="Projects", nav=nav)
    memories = grouped(catalogue.memories, lambda memory: memory.scope)
    themes = friction.by_project()
    digests = digest_uris(catalogue)
    for name, views in catalogue.projects.items():
        held = memories.get(name, [])
        yield Page(
            catalogue.project_uris[name],
            "project",
            {
                "name": name,
                "views": views[:PROJECT_SESSIONS],
                "number": len(views),
                "first": views[-1].entry.created_at,
                "memories": held[:PROJECT_MEMORIES],
                "memories_left_out": max(0, len(held) - PROJECT_MEMORIES),
                "rows": friction.rows(friction.named(themes.get(name, [])[:THEMES_SHOWN])),
                "facets": {},
                "told": digests.get(name.casefold(), ""),
                "months": months_of(views) if len(views) > PROJECT_SESSIONS else (),
            },
            title=name or "No project",
        )


def months_of(views: list[SessionView]) -> list[tuple[str, datetime, int]]:
    """Return the page of each month, a moment in it, and how many of the sessions it had."""
    months = grouped(views, lambda view: month_of(view.entry))
    found = [
        (month_uri(some[0].entry), some[0].entry.created_at, len(some)) for some in months.values()
    ]
    return found[:MONTHS_SHOWN]


def _waiting(catalogue: Catalogue) -> Iterator[Page]:
    """The sessions that no reflection has covered, on pages of a length that a phone can scroll."""
    waiting, title = catalogue.waiting, "Sessions that wait for reflection"
    left_out = max(0, len(waiting) - WAITING_SHOWN)
    for uri, leaf, some in leaves(WAITING, waiting[:WAITING_SHOWN], WAITING_A_PAGE):
        values = {"views": list(some), "leaf": leaf, "number": len(waiting)}
        values["left_out"] = 0 if leaf.later else left_out
        yield Page(uri, "waiting", values, title=title)


def _months(catalogue: Catalogue) -> Iterator[Page]:
    """A month of many sessions is a list of its days, so that no page grows without end."""
    for views in catalogue.months.values():
        first = views[0].entry
        days: list[tuple[str, datetime, int]] = []
        if len(views) > MONTH_SHOWN:
            for uri, group in grouped(views, lambda view: day_uri(view.entry)).items():
                days.append((uri, group[0].entry.created_at, len(group)))
                yield from _day(uri, group)
        title = f"Sessions of {month(first.created_at)}"
        for uri, leaf, some in leaves(month_uri(first), () if days else views, A_PAGE):
            values = {"number": len(views), "first": first.created_at, "leaf": leaf}
            yield Page(uri, "month", values | {"views": list(some), "days": days}, title=title)


def _day(uri: str, views: list[SessionView]) -> Iterator[Page]:
    first = views[0].entry
    for place, leaf, some in leaves(uri, views, A_PAGE):
        values = {"views": list(some), "first": first, "leaf": leaf, "number": len(views)}
        yield Page(place, "day", values, title=f"Sessions of {day(first.created_at)}")


def _session(catalogue: Catalogue, friction: Friction, view: SessionView) -> Page:
    entry = view.entry
    before, after = catalogue.neighbours[entry.id]
    values = {
        "view": view,
        "entry": entry,
        "themes": friction.of_points(entry),
        "before": before and before.entry,
        "after": after and after.entry,
        "memories": catalogue.memories_of.get(entry.id, ()),
        "reflections": catalogue.reflections_of.get(entry.id, ()),
        "changed": _files_of(catalogue, entry),
        "resume": resume_command(entry.agent, entry.session_id),
    }
    where = f" in {entry.project_name}" if entry.project_name else ""
    words = (entry.project_name, entry.agent, *(section.text for section in entry.sections))
    return Page(
        catalogue.addresses[entry.id],
        "session",
        values,
        title=session_title(entry, 110),
        statement=entry.summary,
        search=(*entry.friction_points, entry.summary, *entry.next_steps, *words),
        file=catalogue.source.files.get(entry.id, ""),
        tags=tuple(filter(None, ("Session", entry.project_name))),
        about=f"Session{where}, {day(entry.created_at)}. {entry.summary}",
    )


def file_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the list of files that several sessions changed, and a page for each."""
    found = catalogue.changed_files
    listed = [(*key, file_uri(*key), len(views)) for key, views in found.items()]
    several = len({project for project, _ in found}) > 1
    for uri, leaf, some in leaves("files/index.md", listed, FILES_A_PAGE) if listed else ():
        values = {"files": list(some), "leaf": leaf, "number": len(listed), "several": several}
        yield Page(uri, "files", values, title="Files")
    for (project, path), views in found.items():
        values = {"project": project, "path": path, "number": len(views)}
        values |= {"views": views[:FILE_SESSIONS]}
        yield Page(file_uri(project, path), "file", values, title=path)


def _files_of(catalogue: Catalogue, entry: Entry) -> list[tuple[str, str, int]]:
    """Return the files that a session changed, each with its page, if any, and its sessions."""
    found = catalogue.changed_files
    keys = ((entry.project_name, path) for path in dict.fromkeys(entry.files))
    return [
        (key[1], file_uri(*key) if key in found else "", len(found.get(key, ()))) for key in keys
    ]
