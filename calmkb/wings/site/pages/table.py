"""Which pages there are, in the order of the navigation."""

from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Any

from calmkb.system.entry_points import added
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.pages.agents_read import agents_read_pages
from calmkb.wings.site.pages.friction import friction_pages
from calmkb.wings.site.pages.home import home
from calmkb.wings.site.pages.memories import memory_pages, reflection_pages
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.pages.sessions import file_pages, project_pages, session_pages
from calmkb.wings.site.pages.to_do import next_step_pages
from calmkb.wings.site.pages.weeks import week_pages

IMPROVEMENTS_SHOWN = 60
TAG_SHOWN = 50


def pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield every page of the site; what each shows is in the module of its subject.

    Another installed package declares a function from the catalogue to pages of its own as an entry
    point in the group `calmkb.pages`.
    """
    friction = Friction(catalogue)
    yield home(catalogue, friction)
    yield from week_pages(catalogue, friction)
    yield from session_pages(catalogue, friction)
    yield from project_pages(catalogue, friction)
    yield from file_pages(catalogue)
    yield from next_step_pages(catalogue)
    yield from friction_pages(friction)
    yield from memory_pages(catalogue, friction)
    yield from reflection_pages(catalogue)
    yield from _lists(catalogue)
    yield from agents_read_pages(catalogue)
    for place in added("calmkb.pages").values():
        yield from resolve_name(place)(catalogue)


def _lists(catalogue: Catalogue) -> Iterator[Page]:
    """Yield single pages; some only where there is something to show."""
    library = catalogue.source
    if library.improvements:
        values: dict[str, Any] = {"board": catalogue.improvements, "shown": IMPROVEMENTS_SHOWN}
        values["linked"] = [one.project in catalogue.projects for one in library.improvements]
        title = "Improvements"
        yield Page("improvements.md", "improvements", values, title=title, nav=title)
    if library.figures and catalogue.sessions:
        values = {"figures": library.figures, "kinds": list(catalogue.categories)}
        yield Page("statistics.md", "statistics", values, title="In numbers")
    yield Page("tags.md", "tags", {"tags": catalogue.tags, "shown": TAG_SHOWN}, title="Tags")
    if library.problems:
        yield Page("problems.md", "problems", shows_all=True, title="Files that could not be read")
