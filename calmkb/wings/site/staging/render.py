"""Renders pages as Markdown: the Jinja2 environment, and its filters for record text."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from importlib.resources import files
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from calmkb.errors import CalmError
from calmkb.model import CONTENT, in_utc
from calmkb.model.words import counted
from calmkb.templating import templates_dir
from calmkb.wings.site.content.addresses import (
    category_uri,
    day_of,
    item_id,
    month_uri,
    normal,
    relative,
    tag_anchor,
    theme_uri,
)
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import read_day
from calmkb.wings.site.content.grouping import grouped
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.text import sanitize as sanitize
from calmkb.wings.site.text.titles import commit_address, memory_title, session_title, summary_parts
from calmkb.wings.site.text.words import CATEGORY_TITLES, ago, anchor, day, moment, month

if TYPE_CHECKING:
    from jinja2 import Environment


_DAY = re.compile(r"(?<![\w/.`-])\d{4}-\d\d-\d\d(?![\w/`-])")


class PageWriter:
    """Renders the pages of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._environment = environment()

    def body(self, page: Page) -> str:
        """Return the page's body as Markdown."""
        catalogue = self._catalogue
        context = {
            "to": partial(relative, here=page.uri),
            "address": catalogue.addresses.get,
            "project_address": catalogue.project_uris.get,
            "replaced": catalogue.successors.__contains__,
            "memory_of": catalogue.memory_by_id.get,
            "person": catalogue.names.get,
            "landing": catalogue.landing,
            "cited": catalogue.memories_of.get,
            "file": page.file,
        }
        if page.shows_all:
            context["catalogue"] = catalogue
        try:
            template = self._environment.get_template(f"{page.template}.md.j2")
            return template.render(page.values | context)
        except Exception as error:
            if ":" not in page.template:
                raise
            at = [one for one in extract_tb(error.__traceback__) if one.filename.endswith(".j2")]
            place = ", from ".join(f"{one.filename}, line {one.lineno}" for one in reversed(at))
            fault = f"{type(error).__name__}: {error}"
            raise CalmError(f"{place or page.template}: {fault}") from error


def _of_package(name: str) -> tuple[str, str, None] | None:
    """Return the template `PACKAGE:NAME`, a file beside the package's modules, and its path."""
    package, _, file = name.partition(":")
    path = files(package) / file
    return (path.read_text("utf-8"), str(path), None) if file else None


@lru_cache(maxsize=1)  # Compiling the templates takes as long as rendering 400 pages.
def environment() -> "Environment":
    """Return the environment of the site's templates; unmarked text is escaped."""
    import jinja2

    ours = jinja2.FileSystemLoader(templates_dir() / "site")
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([ours, jinja2.FunctionLoader(_of_package)]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["content"] = CONTENT
    made.filters |= _text_filters()
    return made


def _text_filters() -> dict[str, Callable[..., Any]]:
    return {
        "prose": _safe(sanitize.prose),
        "line": _safe(sanitize.line),
        "headline": sanitize.headline,
        "title": session_title,
        "rule": memory_title,
        "verbatim": _safe(sanitize.verbatim),
        "ago": ago,
        "anchor": anchor,
        "by_day": lambda views: grouped(views, lambda one: day_of(one.entry.created_at)).values(),
        "parts": summary_parts,
        "commit_address": commit_address,
        "capitalised": lambda text: text[:1].upper() + text[1:],
        "category_title": CATEGORY_TITLES.__getitem__,
        "category_uri": category_uri,
        "tag_anchor": tag_anchor,
        "count": counted,
        "written_day": _written_day,
        "day": day,
        "month": month,
        "month_uri": month_uri,
        "moment": moment,
        "theme_uri": theme_uri,
        "normal": normal,
        # The id is hexadecimal: what a link to an item of a session lands on.
        "said": _safe(lambda *item: f'<span class="calm-said" id="{item_id(*item)}"></span>'),
        "iso": lambda value: in_utc(value).isoformat(),
    }


def _written_day(text: str) -> str:
    """Return a text with its days as pages write them; what is none, or a name's, stays."""
    return _DAY.sub(lambda one: day(found) if (found := read_day(one[0])) else one[0], text)


def _safe(function: Callable[..., str]) -> Callable[..., Any]:
    """Mark what `function` returns as safe, so that autoescape leaves it alone."""
    from markupsafe import Markup

    def marked(*arguments: Any, **options: Any) -> Markup:
        return Markup(function(*arguments, **options))  # noqa: S704 - it is what these filters are for

    return marked
