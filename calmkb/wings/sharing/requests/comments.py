"""What reviewers said of pull requests: comments on code as GitHub's and GitLab's API give them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from calmkb.capture.formats.cleaning import clean
from calmkb.capture.formats.fields import time_of
from calmkb.errors import TranscriptError

LIMIT = 64 * 1024 * 1024
_LONGEST = 4_000
_GITHUB = re.compile(r"(https?://[^/\s]+/[^/\s]+/[^/\s]+)/(?:pull|pulls|issues)/(\d+)\b")
_NUMBER = re.compile(r"[0-9]{1,12}")
_CODE = re.compile(r"(?s)```.*?(?:```|\Z)")
_QUOTE = re.compile(r"(?m)^>.*$")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment of a person on code: who, when, about which file, in which pull request.

    `repository` is its URL, empty where the host does not say (GitLab); `number` that of the
    pull or merge request.
    """

    repository: str
    number: int
    author: str
    at: datetime
    text: str
    path: str = ""


def read_reviews(path: Path) -> list[Comment]:
    """Return the comments in a JSON file, oldest first.

    It holds a list, or pages of lists, of what GitHub's `pulls/comments` or GitLab's `notes` and
    `discussions` answer. Programs' comments and replies are left out, and so is what cannot be
    placed in a pull request. Raises TranscriptError where it is no such file.
    """
    try:
        if path.stat().st_size > LIMIT:
            raise TranscriptError(
                f"{path} is larger than {LIMIT // 1024**2} MiB; import it in parts"
            )
        given = list(_documents(path.read_text(encoding="utf-8", errors="replace")))
    except (OSError, ValueError, RecursionError) as error:
        raise TranscriptError(f"{path} cannot be read as JSON: {error}") from error
    if not all(isinstance(page, list) for page in given):
        raise TranscriptError(f"{path} holds no list of comments; see calmkb import --help")
    found = (_comment(one) for page in given for one in _flat(page) if _is_persons(one))
    return sorted((one for one in found if one), key=lambda one: (one.at, one.text))


def _documents(text: str) -> Iterator[Any]:
    """Yield each JSON document of a text: `gh api --paginate` may write one a page."""
    decoder, place = json.JSONDecoder(), 0
    while rest := text[place:].lstrip():
        place = len(text) - len(rest)
        document, place = decoder.raw_decode(text, place)
        yield document


def _flat(items: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the comments of pages (lists in a list) and of discussions, whose first is no reply."""
    for item in items:
        if isinstance(item, list):
            yield from (one for one in item if isinstance(one, dict))
        elif isinstance(item, dict):
            notes = item.get("notes")
            first = notes[0] if isinstance(notes, list) and notes else item
            if isinstance(first, dict):
                yield first


def _is_persons(item: dict[str, Any]) -> bool:
    user = item.get("user") or item.get("author")
    if not isinstance(user, dict) or item.get("system") or item.get("in_reply_to_id"):
        return False
    name = str(user.get("login") or user.get("username") or "")
    return (
        bool(name)
        and user.get("type") != "Bot"
        and not name.endswith("[bot]")
        and (not user.get("bot"))
    )


def _comment(item: dict[str, Any]) -> Comment | None:
    found = _GITHUB.match(str(item.get("html_url") or ""))
    number = found[2] if found else item.get("noteable_iid")
    text = _QUOTE.sub("", _CODE.sub("", str(item.get("body") or "")))[:_LONGEST]
    at = time_of(item.get("created_at"))
    if not _NUMBER.fullmatch(str(number)) or not text.strip() or at is None:
        return None
    user = item.get("user") or item["author"]
    position = item.get("position")
    file = item.get("path") or (position.get("new_path") if isinstance(position, dict) else "")
    name = str(user.get("login") or user.get("username"))
    place = found[1] if found else ""
    return Comment(place, int(str(number)), name, at, clean(text).strip(), str(file or ""))
