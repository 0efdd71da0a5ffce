"""Checks of what goes into a record: each names the fault and the fix."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from calmkb.errors import RecordError

_PARTS = re.compile(r"[\\/]+")
# Claude Code keeps its own work trees in .claude/worktrees.
_WORKTREE = re.compile(r"(.+?)[\\/](?:\.claude[\\/]worktrees|\.?worktrees)[\\/][^\\/]")
_HOMES = re.compile(r"(?:~|/|/root|/home/[^/]+|/Users/[^/]+|[A-Za-z]:(?:\\Users\\[^\\]+)?)[\\/]*")

SUMMARY_LIMIT = 10_000
ITEM_LIMIT = 10_000
ITEMS_LIMIT = 50
FILES_LIMIT = 20
COMMITS_LIMIT = 50
_HASH = re.compile(r"[0-9a-f]{7,64}\Z")
LINE_LIMIT = 1_000
_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def check_uuid(value: str, what: str) -> None:
    """Raise RecordError unless `value` is a lower-case, hyphenated UUID."""
    if not _UUID.fullmatch(value):
        example = "00000000-0000-0000-0000-000000000000"
        raise RecordError(f"{what} {value!r} is not a UUID; expected a form like {example}")


def check_time(value: datetime, what: str) -> None:
    """Raise RecordError unless `value` is a time with an offset."""
    if value.tzinfo is None:
        raise RecordError(f"{what} {value.isoformat()} has no offset; give it in UTC")


def check_text(value: str, what: str, limit: int) -> None:
    """Raise RecordError unless `value` is 1 to `limit` characters that UTF-8 can hold."""
    if not value.strip():
        raise RecordError(f"{what} is empty; give it at least one word")
    check_length(value, what, limit)


def check_length(value: str, what: str, limit: int) -> None:
    """Raise RecordError unless `value` is at most `limit` characters that UTF-8 can hold."""
    if len(value) > limit:
        raise RecordError(f"{what} has {len(value):,} characters; at most {limit:,} are allowed")
    check_characters(value, what)


def check_characters(value: str, what: str) -> None:
    """Raise RecordError if `value` holds NUL or half a surrogate pair."""
    try:
        broken = "\0" in value
        value.encode()  # a hundred times as fast as a look at each character
    except UnicodeEncodeError:
        broken = True
    if broken:
        raise RecordError(f"{what} holds a NUL or a broken character; remove it")


def check_line(value: str, what: str) -> None:
    """Raise RecordError unless `value` is one line of at most 1,000 characters."""
    if "\n" in value or len(value) > LINE_LIMIT:
        raise RecordError(f"{what} must be one line of at most {LINE_LIMIT:,} characters")
    check_characters(value, what)


def check_items(
    items: tuple[str, ...], what: str, limit: int = ITEMS_LIMIT, item_limit: int = ITEM_LIMIT
) -> None:
    """Raise RecordError unless there are at most `limit` sound texts of up to `item_limit`."""
    if len(items) > limit:
        raise RecordError(f"{what}: {len(items)} given; at most {limit} are allowed")
    for number, item in enumerate(items, 1):
        check_text(item, f"{what}, item {number},", item_limit)


def check_paths(items: tuple[str, ...], what: str, limit: int) -> None:
    """Raise RecordError unless there are at most `limit` lines, each a path inside a repository."""
    if len(items) > limit:
        raise RecordError(f"{what}: {len(items)} given; at most {limit} are allowed")
    for item in items:
        check_line(item, what)
        if not item.strip() or item.startswith(("/", "~")) or ".." in item.split("/"):
            raise RecordError(f"{what}: {item!r} is not a relative path inside the repository")


def check_hashes(items: tuple[str, ...], what: str, limit: int) -> None:
    """Raise RecordError unless there are at most `limit` hashes, perhaps abbreviated."""
    if len(items) > limit:
        raise RecordError(f"{what}: {len(items)} given; at most {limit} are allowed")
    for item in items:
        if not _HASH.match(item):
            raise RecordError(f"{what}: {item!r} is not a hash; give 7 to 64 digits, 0-9 a-f")


def raise_together(checks: Iterable[tuple[Callable[..., None], tuple[object, ...]]]) -> None:
    """Run all checks and raise one RecordError that names every fault."""
    faults = []
    for check, arguments in checks:
        try:
            check(*arguments)
        except RecordError as error:
            faults.append(str(error))
    if faults:
        raise RecordError("; ".join(faults))


def check_choice(value: object, what: str, known: tuple[object, ...]) -> None:
    """Raise RecordError unless `value` is among the `known`, and of their type: True is not 1."""
    if type(value) is not type(known[0]) or value not in known:
        raise RecordError(f"{what} {value!r} is unknown; choose from: {', '.join(map(str, known))}")


def in_utc(value: datetime) -> datetime:
    """Return `value` in UTC, to the second: the precision records keep."""
    return value.astimezone(UTC).replace(microsecond=0)


def name_in_path(folder: str, *, user: str = "") -> str:
    """Return the last part of a path, and of a work tree below its repository that one's name.

    Nothing for a home, a root directory, and a folder called as the user.
    """
    if _HOMES.fullmatch(folder):
        return ""
    found = _WORKTREE.match(folder)  # which belongs to the folder above it
    whole = folder if found is None or _HOMES.fullmatch(found[1]) else found[1]
    name = next((part for part in reversed(_PARTS.split(whole)) if part), "")
    return "" if user and name.casefold() == user.casefold() else name


def recorded_project(name: str, repository: str, folder: str) -> str:
    """Return the project of a session by what its record holds, in Unicode's composed form.

    A record that names no repository may have the name of a work tree's folder.
    """
    derived = name and re.split(r"[\\/]", folder.rstrip("\\/"))[-1] == name
    found = name_in_path(folder) or name if derived and not repository else name
    return unicodedata.normalize("NFC", found)
