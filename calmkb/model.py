"""The records that cross floors: frozen, checked when made, knowing nothing of files."""

import re
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from calmkb.errors import RecordError

SUMMARY_LIMIT = 10_000
ITEM_LIMIT = 10_000
ITEMS_LIMIT = 50
LINE_LIMIT = 1_000
LEARNINGS = "Learnings"
"""The heading of a session's own proposals: bullets that a reflection reads beside the friction."""

Category = Literal["error", "decision", "fact", "workflow", "preference"]
CATEGORIES: tuple[Category, ...] = ("error", "decision", "fact", "workflow", "preference")
Confidence = Literal["low", "medium", "high"]
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")
Origin = Literal["person", "agent", "tool"]
ORIGINS: tuple[Origin, ...] = ("person", "agent", "tool")
GLOBAL_SCOPE = "global"

FrontValue = str | list["FrontValue"] | dict[str, "FrontValue"]
"""A front-matter value: every scalar is text, so that nothing is guessed from its look."""


def check_uuid(value: str, what: str) -> None:
    """Raise RecordError unless `value` is a lower-case, hyphenated UUID."""
    try:
        sound = str(uuid.UUID(value)) == value
    except ValueError:
        sound = False
    if not sound:
        example = uuid.UUID(int=0)
        raise RecordError(f"{what} {value!r} is not a UUID; expected a form like {example}")


def check_time(value: datetime, what: str) -> None:
    """Raise RecordError unless `value` is a time with an offset."""
    if value.tzinfo is None:
        raise RecordError(f"{what} {value.isoformat()} has no offset; give it in UTC")


def check_text(value: str, what: str, limit: int) -> None:
    """Raise RecordError unless `value` is 1 to `limit` characters that UTF-8 can hold."""
    if not value.strip():
        raise RecordError(f"{what} is empty; give it at least one word")
    if len(value) > limit:
        raise RecordError(f"{what} has {len(value):,} characters; at most {limit:,} are allowed")
    check_characters(value, what)


def check_characters(value: str, what: str) -> None:
    """Raise RecordError if `value` holds NUL or half a surrogate pair."""
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise RecordError(f"{what} holds a NUL or a broken character; remove it")


def check_line(value: str, what: str) -> None:
    """Raise RecordError unless `value` is one line of at most 1,000 characters."""
    if "\n" in value or len(value) > LINE_LIMIT:
        raise RecordError(f"{what} must be one line of at most {LINE_LIMIT:,} characters")
    check_characters(value, what)


def check_items(items: tuple[str, ...], what: str) -> None:
    """Raise RecordError unless there are at most 50 sound texts."""
    if len(items) > ITEMS_LIMIT:
        raise RecordError(f"{what}: {len(items)} given; at most {ITEMS_LIMIT} are allowed")
    for number, item in enumerate(items, 1):
        check_text(item, f"{what}, item {number},", ITEM_LIMIT)


@dataclass(frozen=True, slots=True)
class Section:
    """A `## heading` and the text below it that no field of the record claims."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One session: what was done, what chafed, what comes next. Never rewritten."""

    id: str
    created_at: datetime
    summary: str
    project_name: str
    working_directory: str = ""
    friction_points: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    agent: str = ""
    session_id: str = ""
    needs_continuation: bool = False
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        lines = ("project_name", "working_directory", "agent", "session_id")
        _raise_together(
            [
                (check_uuid, (self.id, "Entry id")),
                (check_time, (self.created_at, "Entry created_at")),
                (check_text, (self.summary, "Summary", SUMMARY_LIMIT)),
                (check_items, (self.friction_points, "Friction points")),
                (check_items, (self.next_steps, "Next steps")),
                *((check_line, (getattr(self, name), name)) for name in lines),
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A span of a source, as quoted to the reviewer. `date` is YYYY-MM-DD."""

    quote: str
    source: str = ""
    date: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A learning that a person approved, with the evidence it rests on."""

    id: str
    created_at: datetime
    text: str
    category: Category
    importance: float = 0.5
    confidence: Confidence = "low"
    scope: str = GLOBAL_SCOPE
    origin: Origin = "person"
    approved_by: str = ""
    supersedes: str = ""
    tags: tuple[str, ...] = ()
    why: str = ""
    evidence: tuple[Evidence, ...] = ()
    sources: tuple[str, ...] = ()
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Memory id")
        check_time(self.created_at, "Memory created_at")
        check_text(self.text, "Memory text", SUMMARY_LIMIT)
        check_category(self.category)
        if not 0 <= self.importance <= 1:
            raise RecordError(f"Importance {self.importance} is outside 0 to 1")
        if self.confidence not in CONFIDENCES:
            raise RecordError(_not_one_of("Confidence", self.confidence, CONFIDENCES))
        if self.origin not in ORIGINS:
            raise RecordError(_not_one_of("Origin", self.origin, ORIGINS))
        for name in ("scope", "approved_by", "supersedes"):
            check_line(getattr(self, name), name)


def _raise_together(checks: Iterable[tuple[Callable[..., None], tuple[object, ...]]]) -> None:
    """Run all checks and raise one RecordError that names every fault."""
    faults = []
    for check, arguments in checks:
        try:
            check(*arguments)
        except RecordError as error:
            faults.append(str(error))
    if faults:
        raise RecordError("; ".join(faults))


def check_category(value: str) -> None:
    """Raise RecordError unless `value` is one of the five categories."""
    if value not in CATEGORIES:
        raise RecordError(_not_one_of("Category", value, CATEGORIES))


def _not_one_of(what: str, value: str, choices: tuple[str, ...]) -> str:
    return f"{what} {value!r} is unknown; choose from: {', '.join(choices)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A proposal that was turned down; `evidence` hashes what it rested on (16 hex digits)."""

    text: str
    evidence: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """What one review decided. An entry is reflected when a reflection lists it."""

    id: str
    created_at: datetime
    entries: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    memories_created: int = 0
    reviewed_by: str = ""
    accepted: tuple[str, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Reflection id")
        check_time(self.created_at, "Reflection created_at")
        if self.memories_created < 0:
            raise RecordError(f"memories_created is {self.memories_created}; it cannot be below 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """Somebody took up a session that was left to be continued; `entry` is its id."""

    id: str
    created_at: datetime
    entry: str
    resumed_by: str = ""
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Resumption id")
        check_time(self.created_at, "Resumption created_at")
        check_uuid(self.entry, "entry")
        check_line(self.resumed_by, "resumed_by")


Helped = Literal["helpful", "harmful"]
HELPED: tuple[Helped, ...] = ("helpful", "harmful")


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Whether a memory helped in one session; `memory` is its id. Counted, never edited."""

    id: str
    created_at: datetime
    memory: str
    verdict: Helped
    note: str = ""
    given_by: str = ""
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Feedback id")
        check_time(self.created_at, "Feedback created_at")
        check_uuid(self.memory, "memory")
        if self.verdict not in HELPED:
            raise RecordError(_not_one_of("verdict", self.verdict, HELPED))
        if len(self.note) > ITEM_LIMIT:
            raise RecordError(f"note has {len(self.note):,} characters; at most {ITEM_LIMIT:,}")
        check_characters(self.note, "note")
        check_line(self.given_by, "given_by")


Record = Entry | Memory | Reflection | Resumption | Feedback


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be read as a record: where, what is wrong, what mends it."""

    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """An entry with what the reflections and this machine's log folder say of it."""

    entry: Entry
    reflected_at: datetime | None = None
    memories_created: int = 0
    log_path: str | None = None


def in_utc(value: datetime) -> datetime:
    """Return `value` in UTC, to the second: the precision records keep."""
    return value.astimezone(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of this machine and the name that stands for it in what is kept."""

    folder: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A wrap-up made from a transcript without a model; a person may edit it before it is kept."""

    summary: str
    friction_points: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    working_directory: str = ""
    agent: str = ""
    session_id: str = ""
    ended_at: datetime | None = None
    broken_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One thing that chafed, in one session or in many, with the memory that answers it if any."""

    id: str
    statement: str
    evidence: tuple[Evidence, ...]
    sessions: int
    memory_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """All that a knowledge base holds, as its readers see it; newest first."""

    sessions: tuple[SessionView, ...] = ()
    memories: tuple[Memory, ...] = ()
    reflections: tuple[Reflection, ...] = ()
    themes: tuple[Theme, ...] = ()
    problems: tuple[Problem, ...] = ()


VerdictKind = Literal["new", "duplicate", "conflict"]
Action = Literal["accept", "reject", "skip"]
ACTIONS: tuple[Action, ...] = ("accept", "reject", "skip")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a text stands to what is known: `other` is the id and `text` the words of the nearest.

    `similarity` is 0 to 1 by the method that judged; a conflict is alike but opposite.
    """

    kind: VerdictKind = "new"
    other: str = ""
    text: str = ""
    similarity: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A learning put before a person; its id changes with its text and its evidence."""

    id: str
    text: str
    category: Category
    importance: float
    confidence: Confidence
    scope: str
    origin: Origin
    evidence: tuple[Evidence, ...]
    evidence_hash: str
    verdict: Verdict = field(default_factory=Verdict)
    turned_down: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person made of a proposal; `text` and `category` where they were edited."""

    proposal_id: str
    action: Action
    text: str = ""
    category: Category | None = None
    importance: float | None = None
    reason: str = ""


SIGNAL_TYPES = (
    "failure",
    "correction",
    "convention",
    "command",
    "pattern",
    "project_friction",
    "summary",
)
SIGNAL_STATUSES = ("captured", "analyzed", "promoted", "dismissed", "confirmed")
_SIGNAL_ID = re.compile(r"SIG-\d{8}-\d{4,}")
_SIGNAL_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """Something a session may teach, noticed by a hook; nothing is learnt until a person says so.

    `source` names the `hook` and, where there is one, the `turn`.
    """

    id: str
    version: int = 1
    timestamp: str
    session_id: str
    type: str
    status: str = "captured"
    confidence: int
    source: Mapping[str, object]
    content: str
    context: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    promoted_to: str | None = None
    meta: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _raise_together(
            [
                (_check_signal_form, (self.id, "id", _SIGNAL_ID, "SIG-20260101-0001")),
                (_check_signal_form, (self.timestamp, "timestamp", _SIGNAL_TIME,
                                      "2026-01-01T12:00:00Z")),
                (_check_choice, (self.version, "version", (1,))),
                (_check_choice, (self.type, "type", SIGNAL_TYPES)),
                (_check_choice, (self.status, "status", SIGNAL_STATUSES)),
                (_check_choice, (self.confidence, "confidence", (1, 2, 3, 4))),
                (_check_kind, (self.session_id, "session_id", str, "a text")),
                (_check_kind, (self.content, "content", str, "a text")),
                (_check_kind, (self.context, "context", str, "a text")),
                (_check_kind, (self.category, "category", str, "a text")),
                (_check_kind, (self.promoted_to, "promoted_to", (str, type(None)), "a text")),
                (_check_kind, (self.source, "source", Mapping, "an object")),
                (_check_kind, (self.meta, "meta", Mapping, "an object")),
                (_check_words, (self.tags, "tags")),
                (_check_words, (self.related, "related")),
            ]
        )  # fmt: skip
        check_text(self.content, "content", ITEM_LIMIT)
        for name in ("session_id", "context", "category"):
            check_characters(getattr(self, name), name)


def _check_signal_form(value: object, what: str, form: re.Pattern[str], example: str) -> None:
    if not (isinstance(value, str) and form.fullmatch(value)):
        raise RecordError(f"{what} {value!r} is malformed; expected a form like {example}")


def _check_choice(value: object, what: str, choices: tuple[object, ...]) -> None:
    if type(value) is not type(choices[0]) or value not in choices:
        named = ", ".join(map(str, choices))
        raise RecordError(f"{what} {value!r} is unknown; choose from: {named}")


def _check_kind(value: object, what: str, kind: type | tuple[type, ...], name: str) -> None:
    if not isinstance(value, kind):
        raise RecordError(f"{what} must be {name}, not {value!r}")


def _check_words(value: object, what: str) -> None:
    if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{what} must be a list of texts, not {value!r}")
