"""A session as it is kept: what was done, friction, what comes next.

Each field of `SessionContent` says once what it is called, what kind of value it holds and where it
is given, stored and searched; files, the command line, MCP, the index and the pages follow from it.
"""

import hashlib
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal

from calmkb.model.checks import (
    COMMITS_LIMIT,
    FILES_LIMIT,
    ITEM_LIMIT,
    ITEMS_LIMIT,
    LINE_LIMIT,
    SUMMARY_LIMIT,
    check_hashes,
    check_items,
    check_line,
    check_paths,
    check_text,
    check_time,
    check_uuid,
    raise_together,
)

_MARK = "\nWhy:"

THREAD_LIMIT = 8
_UNBOUNDED = 8 * 1024 * 1024
"""As many as a file of a record has bytes: an imported note may hold any number of learnings."""

FrontValue = str | list["FrontValue"] | dict[str, "FrontValue"]
"""A front-matter value: every scalar is text, so that nothing is guessed from its look."""
Kind = Literal["text", "items", "line", "flag", "paths", "hashes", "kinds"]
"""Text and items are sections of the file, one bullet an item; the others are front matter."""


Check = tuple[Callable[..., None], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Section:
    """A `## heading` and the text below it that no field of the record claims."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a session's content.

    `label` is its heading, `help` one line on it. `option` of `calmkb wrapup` gives it, with a
    `metavar` if not TEXT. A `tool` field is a parameter of the MCP tool that stores an entry.
    `weight` is that of its words in a search. `limit` bounds a text's characters or a list's items,
    `item_limit` the characters of an item; `given` bounds both for one wrap-up, where they are
    fewer. An `always` field is written to the file even when empty. `reasons` where an item may
    say why it holds (see `with_why`).
    """

    label: str
    kind: Kind
    help: str
    option: str = ""
    metavar: str = "TEXT"
    weight: Literal["title", "friction", "rest", ""] = "rest"
    limit: int = ITEMS_LIMIT
    item_limit: int = ITEM_LIMIT
    given: tuple[int, int] | None = None
    always: bool = False
    tool: bool = True
    reasons: bool = False

    @property
    def is_section(self) -> bool:
        """Whether the field is a section of the file, not front matter."""
        return self.kind in ("text", "items")


def _content(*args: Any, default: Any = "", **named: Any) -> Any:
    return field(default=default, metadata={"spec": FieldSpec(*args, **named)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionContent:
    """What a wrap-up says of a session; `sections` are those of the author's own."""

    summary: str = _content(
        "Summary", "text", "What was done, in two or three sentences.",
        option="--summary", weight="title", limit=SUMMARY_LIMIT, always=True,
    )  # fmt: skip
    title: str = _content(
        "Title", "line", "A name for the session; else its summary's first words name it.",
        option="--title", weight="title", tool=False,
    )  # fmt: skip
    friction_points: tuple[str, ...] = _content(
        "Friction points", "items", "A problem, blocker or surprise: one sentence each.",
        option="--friction", weight="friction", default=(),
    )  # fmt: skip
    next_steps: tuple[str, ...] = _content(
        "Next steps", "items", "A next step.", option="--next", default=()
    )
    learnings: tuple[str, ...] = _content(
        "Learnings", "items", "What a new session of this project should know; at most 5.",
        option="--learning", default=(), limit=_UNBOUNDED, item_limit=_UNBOUNDED, given=(5, 300),
        reasons=True,
    )  # fmt: skip
    project_name: str = _content(
        "Project", "line", "The project's name; else that of the folder's repository.",
        option="--project", always=True, tool=False,
    )  # fmt: skip
    working_directory: str = _content(
        "Working directory", "line", "Where it worked; else here.",
        option="--working-directory", metavar="FOLDER", always=True,
    )  # fmt: skip
    repository: str = _content(
        "Repository", "line", "The repository: its remote, or root: and its first commit.",
        weight="", tool=False,
    )  # fmt: skip
    agent: str = _content(
        "Agent", "line", "Who worked, such as claude-code; empty for a person.",
        option="--agent", tool=False,
    )  # fmt: skip
    session_id: str = _content(
        "Agent's session", "line", "The agent's session id.",
        option="--session-id", weight="",
    )  # fmt: skip
    needs_continuation: bool = _content(
        "To be continued", "flag", "Whether the work goes on; needs a next step.",
        default=False, weight="",
    )  # fmt: skip
    files: tuple[str, ...] = _content(
        "Changed files", "paths", "Paths from the top of the project's repository.",
        default=(), weight="", limit=FILES_LIMIT, tool=False,
    )  # fmt: skip
    commits: tuple[str, ...] = _content(
        "Commits", "hashes", "The commits that the session made, oldest first.",
        default=(), weight="", limit=COMMITS_LIMIT, tool=False,
    )  # fmt: skip
    said: tuple[str, ...] = _content(
        "Said", "kinds", "As what each friction point of a draft was said.",
        default=(), weight="", tool=False,
    )  # fmt: skip
    thread: tuple[str, ...] = _content(
        "Thread", "hashes", "How it began: a resumed or forked session has one in common.",
        default=(), weight="", limit=THREAD_LIMIT, tool=False,
    )  # fmt: skip
    sections: tuple[Section, ...] = ()


CONTENT: Mapping[str, FieldSpec] = {
    each.name: each.metadata["spec"] for each in fields(SessionContent) if each.metadata
}
"""The fields of a session's content by name, in the order in which they are written and shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(SessionContent):
    """One session as it is kept; never rewritten but for its title."""

    id: str
    created_at: datetime
    extra: Mapping[str, FrontValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        raise_together(
            [
                (check_uuid, (self.id, "Entry id")),
                (check_time, (self.created_at, "Entry created_at")),
                *(
                    check
                    for name, spec in CONTENT.items()
                    for check in _checks(name, spec, getattr(self, name))
                ),
            ]
        )


def _checks(name: str, spec: FieldSpec, value: Any) -> Iterator[Check]:
    """Yield the check of a field's value, and its arguments; a flag's type says all of it."""
    match spec.kind:
        case "text" if value or spec.always:
            yield check_text, (value, spec.label, spec.limit)
        case "items":
            yield check_items, (value, spec.label, spec.limit, spec.item_limit)
        case "kinds":
            yield check_items, (value, name, spec.limit, LINE_LIMIT)
        case "paths":
            yield check_paths, (value, name, spec.limit)
        case "hashes":
            yield check_hashes, (value, name, spec.limit)
        case "line":
            yield check_line, (value, name)


def session_key(entry: Entry) -> str | None:
    """Return what all entries of one session share; None where the session is not known."""
    return f"{entry.agent}\0{entry.session_id}" if entry.session_id else None


def threads(entries: Iterable[Entry]) -> dict[str, str]:
    """Return by the id of each entry that of the oldest one whose session it repeats, or its own.

    A resumed or forked session repeats another one's lines: both are one witness.
    """
    oldest, found = dict[str, str](), dict[str, str]()
    for entry in sorted(entries, key=lambda one: (one.created_at, one.id)):
        found[entry.id] = next((oldest[key] for key in entry.thread if key in oldest), entry.id)
        oldest |= dict.fromkeys(entry.thread, found[entry.id])
    return found


def imported_id(agent: str, session_id: str) -> str:
    """Return an import's id: the same for the same session on every machine, in UUID4's form."""
    digest = hashlib.sha256(f"{agent}\0{session_id}".encode(errors="replace")).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def is_written(entry: Entry) -> bool:
    """Whether a person or an agent wrote the entry; an import drafts it from the transcript.

    What was written is shown in place of a draft, also where the draft came later.
    """
    return entry.id != imported_id(entry.agent, entry.session_id)


def with_why(text: str, why: str) -> str:
    """Return a learning as the item that an entry keeps."""
    reason = " ".join(why.split())
    return f"{text.strip()}{_MARK} {reason}" if reason else text


def split_why(item: str) -> tuple[str, str]:
    """Return a learning's text and its reason, which may be empty."""
    text, _, why = item.partition(_MARK)
    reason = " ".join(why.split())
    return (text.strip(), reason) if text.strip() and reason else (item, "")
