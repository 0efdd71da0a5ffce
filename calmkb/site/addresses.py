"""Where each page stands. Addresses come from times, ids and names alone: they never change."""

import hashlib
import posixpath
import re
from collections.abc import Iterable

from calmkb.model import Entry, Memory, Reflection, in_utc

Record = Entry | Memory | Reflection
"""The records that have a page of their own."""

_PLAIN_SLUG = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_HASHED = re.compile(r".*-[0-9a-f]{8}")
_SLUG_LENGTH = 60


def page_stem(record: Record) -> str:
    """Return `2026-10-19t142233z-5f0c6a0e`: when the record was made, and who it is."""
    return f"{in_utc(record.created_at):%Y-%m-%dt%H%M%Sz}-{record.id[:8]}"


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
    return f"{in_utc(record.created_at):%Y/%m}"


def month_uri(record: Record) -> str:
    """Return the address of the page of the month a record was made in."""
    return f"sessions/{month_of(record)}/index.md"


def day_uri(record: Record) -> str:
    """Return the address of the page of the day a record was made on, for months of many."""
    return f"sessions/{in_utc(record.created_at):%Y/%m/%d}.md"


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
    """Return `projects/<slug>.md`; a name that is not its own slug also carries its hash."""
    if _is_own_slug(name):
        return f"projects/{name}.md"
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower())[:_SLUG_LENGTH].strip("-") or "project"
    return f"projects/{slug}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.md"


def _is_own_slug(name: str) -> bool:
    """A name that looks hashed or like an index page is not: two names could meet there."""
    if len(name) > _SLUG_LENGTH or name in ("index", "readme") or _HASHED.fullmatch(name):
        return False
    return bool(_PLAIN_SLUG.fullmatch(name))


def relative(target: str, here: str) -> str:
    """Return the link from page `here` to page `target`, both from the site's root."""
    return posixpath.relpath(target, posixpath.dirname(here) or ".")
