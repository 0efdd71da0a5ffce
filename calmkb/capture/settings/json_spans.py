"""Where the values of a JSON text lie, and edits that leave every other byte as it was."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from calmkb.errors import CalmError

_BLANK = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^ \t\n\r,\]}]+')
# Before the only member of a container that was there empty: it is to stay when that member
# goes. No program that lays JSON out writes two blanks there, so a rewritten file just forgets it.
_STOOD_EMPTY = "  "


@dataclass(frozen=True, slots=True)
class Span:
    """A value at `start` to `end`; `members` of an object or a list, in order."""

    start: int
    end: int
    members: tuple["Member", ...] = field(default=())

    def find(self, key: str) -> "Member | None":
        """Return the member `key`; of several the last, which is the one that readers take."""
        return next((one for one in reversed(self.members) if one.key == key), None)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object (from its key on) or of a list (no key)."""

    start: int
    key: str | None
    value: Span


def read_object(text: str, place: str) -> dict[str, Any]:
    """Return the object in `text`, {} if it is empty; CalmError naming `place` if it holds none."""
    try:
        found = json.loads(text, parse_constant=_refuse) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise CalmError(f"{place} is not JSON ({error}); fix it by hand first") from error
    if not isinstance(found, dict):
        raise CalmError(f"{place} does not hold a JSON object; fix it by hand first")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def scan(text: str) -> Span:
    """Return the spans of `text`, which must be valid JSON."""
    return _value(text, _skip(text, 0))


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int) -> Span:
    if text[at] not in "{[":
        found = _SCALAR.match(text, at)
        return Span(at, found.end() if found else at)
    members = []
    end = _skip(text, at + 1)
    while text[end] not in "}]":
        member = _member(text, end, keyed=text[at] == "{")
        members.append(member)
        end = _skip(text, member.value.end)
        if text[end] == ",":
            end = _skip(text, end + 1)
    return Span(at, end + 1, tuple(members))


def _member(text: str, at: int, *, keyed: bool) -> Member:
    if not keyed:
        return Member(at, None, _value(text, at))
    name = _value(text, at)
    colon = _skip(text, name.end)
    return Member(at, json.loads(text[name.start : name.end]), _value(text, _skip(text, colon + 1)))


def append(text: str, container: Span, key: str | None, value: object) -> str:
    """Return `text` with a member more at the end of `container`, laid out as its siblings are."""
    members = container.members
    if members:
        at = members[-1].value.end
        before = text[container.start + 1 : members[0].start]
        gap = _newline(text) + _indent_at(text, members[0].start) if "\n" in before else " "
        new = "," + gap + _rendered(text, members[0].start, key, value)
    elif container.start == _skip(text, 0) and container.end - container.start == 2:
        at, gap = container.start + 1, _newline(text) + _unit(text)
        new = gap + _rendered(text, None, key, value) + _newline(text)
    else:
        at = container.start + 1
        new = _STOOD_EMPTY + _rendered(text, container.start, key, value)
    return text[:at] + new + text[at:]


def replace(text: str, span: Span, value: object) -> str:
    """Return `text` with `value` in the place of `span`."""
    return text[: span.start] + _rendered(text, span.start, None, value) + text[span.end :]


def remove(text: str, path: tuple[Span, ...], index: int) -> str:
    """Return `text` without the member `index` of the last of `path`: containers, outermost first.

    A container that is left empty goes too, up to the outermost, unless it was there empty.
    """
    container = path[-1]
    members, member = container.members, container.members[index]
    if index:
        return text[: members[index - 1].value.end] + text[member.value.end :]
    if len(members) > 1:
        return text[: member.start] + text[members[1].start :]
    if text[container.start + 1 : member.start] == _STOOD_EMPTY:
        return text[: container.start + 1] + text[member.value.end :]
    if len(path) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    parent = path[-2]
    return remove(text, path[:-1], [one.value for one in parent.members].index(container))


def _rendered(text: str, at: int | None, key: str | None, value: object) -> str:
    """Return the member as text for the place `at` (nothing: one step in), in the file's style."""
    base = _unit(text) if at is None else _indent_at(text, at)
    flat = "\n" not in text.strip() and at is not None
    dumped = json.dumps(value, indent=None if flat else _unit(text), ensure_ascii=False)
    lines = dumped.split("\n")
    body = _newline(text).join([lines[0], *(base + line for line in lines[1:])])
    return body if key is None else f"{json.dumps(key)}: {body}"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _indent_at(text: str, at: int) -> str:
    line = text.rfind("\n", 0, at) + 1
    found = re.compile(r"[ \t]*").match(text, line)
    return found[0] if found else ""
