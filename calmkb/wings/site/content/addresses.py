"""The address of each page, and of a quote on it.

Those of pages come from times, ids and names alone: they never change.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from calmkb.model import Entry, Memory, Reflection, in_utc
from calmkb.wings.site.text.titles import session_title

Record = Entry | Memory | Reflection
"""The records that have a page of their own."""

_PLAIN_SLUG = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_HASHED = re.compile(r".*-[0-9a-f]{8}")
_SLUG_LENGTH = 60
_FIELDS = ("friction_points", "next_steps")
_TITLE, _DIGITS = 70, 8


def page_stem(record: Record) -> str:
    """Return `2026-10-19t142233z-5f0c6a0e`: when the record was made, and who it is."""
    iso = in_utc(record.created_at).isoformat()  # a third of what strftime takes
    return f"{iso[:10]}t{iso[11:13]}{iso[14:16]}{iso[17:19]}z-{record.id[:8]}"


def page_uri(record: Record) -> str:
    """Return the address of a record's page inside the site."""
    stem = page_stem(record)
    match record:
        case Entry():
            return f"sessions/{month_of(record)}/{stem}.md"
        case Memory():
            return f"memories/{record.category}/{stem}.md"
        case Reflection():
            return f"reflections/{month_of(record)}/{stem}.md"


def month_of(record: Record) -> str:
    """Return `2026/10`."""
    return _month(record.created_at)


@lru_cache(maxsize=1 << 16)  # asked for several times of each record
def _month(moment: datetime) -> str:
    return in_utc(moment).isoformat()[:7].replace("-", "/")


@lru_cache(maxsize=1 << 16)
def day_of(moment: datetime) -> date:
    """Return the day in UTC that a moment lies in."""
    return in_utc(moment).date()


def month_uri(record: Record) -> str:
    """Return the address of the page of the month a record was made in."""
    return f"sessions/{month_of(record)}/index.md"


def day_uri(record: Record) -> str:
    """Return the address of the page of the day a record was made on, for months of many."""
    return f"sessions/{in_utc(record.created_at):%Y/%m/%d}/index.md"


def tag_anchor(tag: str) -> str:
    """Return the id of a tag's heading; tags that differ never share one."""
    return project_uri(tag).removeprefix("projects/").removesuffix(".md").replace(".", "-dot-")


def uris(records: Iterable[Record]) -> dict[str, str]:
    """Return id -> address; ids that agree in time and first 8 digits get their whole id."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for record in sorted(records, key=lambda r: (r.created_at, r.id)):
        uri = page_uri(record)
        if uri in taken:
            uri = f"{uri.removesuffix('.md')}{record.id[8:]}.md"
        found.setdefault(record.id, uri)
        taken.add(uri)
    return found


def project_uri(name: str) -> str:
    """Return `projects/<slug>.md`."""
    return f"projects/{slug_of(name)}.md"


def category_uri(category: str) -> str:
    """Return `memories/<category>/index.md`."""
    return f"memories/{category}/index.md"


def file_uri(project: str, path: str) -> str:
    """Return `files/<slug>.md`: the sessions that changed a file of a project."""
    return f"files/{slug_of(f'{project}/{path}', 'file')}.md"


def digest_uri(project: str) -> str:
    """Return `told/<slug>.md`: what agents read in another project than the own."""
    return f"told/{slug_of(project)}.md"


def theme_uri(name: str) -> str:
    """Return `friction/<id>.md`: a theme keeps its id while it grows."""
    return f"friction/{slug_of(name, 'theme')}.md"


def week_uri(name: str) -> str:
    """Return `weeks/2026-W47.md`."""
    return f"weeks/{name}.md"


def slug_of(name: str, otherwise: str = "project") -> str:
    """Return a name for a file; a name that is not its own slug also carries its hash."""
    # One that looks hashed or like an index page is none: two names could meet there.
    odd = len(name) > _SLUG_LENGTH or name in ("index", "readme") or _HASHED.fullmatch(name)
    if _PLAIN_SLUG.fullmatch(name) and not odd:
        return name
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower())[:_SLUG_LENGTH].strip("-") or otherwise
    return f"{slug}-{hashlib.sha256(name.encode(errors='replace')).hexdigest()[:8]}"


def relative(target: str, here: str) -> str:
    """Return the link from page `here` to page `target`, both from the site's root.

    As `posixpath.relpath`, without its care for paths that are not in a normal form.
    """
    way, folder = target.split("/"), here.split("/")[:-1]
    shared = 0
    for one, other in zip(folder, way[:-1], strict=False):
        if one != other:
            break
        shared += 1
    return "../" * (len(folder) - shared) + "/".join(way[shared:]) or "./"


@dataclass(frozen=True, slots=True)
class Landing:
    """A session that is quoted: its title, and the id of what is quoted on its page, if known."""

    title: str
    anchor: str


def landing(entry: Entry, quote: str) -> Landing:
    """Return where a quote of a session lands; a draft may hold the words inside a longer item."""
    wanted = normal(quote)
    items = ((field, item) for field in _FIELDS for item in getattr(entry, field))
    named = (item_id(*one) for one in items if wanted and wanted in normal(one[1]))
    return Landing(session_title(entry, _TITLE), next(named, ""))


def item_id(field: str, item: str) -> str:
    """Return the id of an item of a session's list, made of its words."""
    digest = hashlib.sha256(normal(item).encode(errors="replace")).hexdigest()
    return f"{field.replace('_', '-')}-{digest[:_DIGITS]}"


def normal(text: str) -> str:
    """Return `text` in the form in which quotes are compared."""
    return " ".join(text.casefold().split())
