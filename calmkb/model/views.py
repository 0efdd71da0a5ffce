"""What rooms hand to each other beside the records themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calmkb.model.checks import in_utc
from calmkb.model.sessions.entries import SessionContent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from calmkb.model.memories.backtest import Backtest
    from calmkb.model.memories.memories import Approval, Evidence, FeedbackCounts, Memory
    from calmkb.model.review.improvements import Improvement
    from calmkb.model.review.reflections import Reflection
    from calmkb.model.sessions.entries import Entry


_FRESH_DAYS = 7  # later a step is stale more often than not; it is folded away


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be read as a record: where, what is wrong, what fixes it."""

    path: str
    line: int
    message: str


@dataclass(frozen=True)
class Continuation:
    """A session that waits to be continued: a small part of its entry."""

    id: str
    created_at: datetime
    project_name: str
    summary: str
    next_steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """An entry with what the reflections and this machine's log folder say of it.

    `replaced_by` is the id of the entry with newer words on the same session, if there is one.
    """

    entry: Entry
    reflected_at: datetime | None = None
    memories_created: int = 0
    log_path: str | None = None
    replaced_by: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of this machine and the name that replaces it in what is kept."""

    folder: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(SessionContent):
    """A wrap-up made from a transcript without a model; a person may edit it before it is kept.

    `files` are paths as the transcript gives them, the most often changed first.
    """

    ended_at: datetime | None = None
    broken_lines: tuple[int, ...] = ()
    unknown_kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One cause of friction, in one session or in many, with the memory that answers it if any.

    `id` stays while the theme gains sessions. `evidence` has every quote of every session with its
    day, oldest first, so that a history can be drawn of it. `statement` is the clearest of them.
    """

    id: str
    statement: str
    evidence: tuple[Evidence, ...]
    sessions: int
    memory_id: str = ""


@dataclass(frozen=True, slots=True)
class PreviewedMemory:
    """A memory, by its id, in what agents are given, or not in it: then `reason` says why.

    `tokens` is about what its line takes; `crowded_out` where there was no room for it alone.
    """

    memory: str
    tokens: int
    reason: str = ""
    crowded_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestPreview:
    """What agents in `project` read before they begin: the text that `target` writes to `file`.

    By the records alone, so without what people wrote there by hand. It takes about `tokens`, of
    `budget` at most, if there is a bound. `memories` come worthiest first; of `left_out` those that
    hold for other projects alone are only counted, as `elsewhere`.
    """

    project: str
    target: str
    file: str
    text: str
    tokens: int
    budget: int | None = None
    memories: tuple[PreviewedMemory, ...] = ()
    left_out: tuple[PreviewedMemory, ...] = ()
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a person should look at a memory again: it is stale, broken or in conflict.

    `other` is the id of the memory or session that speaks against it.
    """

    memory: str
    words: str
    other: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """What a session left to do, until somebody marks it done or a later session says so.

    `entry` is the session that named it last, at `named`; `since` is when it was named first,
    `times` how often. `done_at` is None while it is open; then `done_in` is the session that said
    so, or `done_by` who marked it.
    """

    id: str
    text: str
    entry: str
    project: str
    since: datetime
    named: datetime
    times: int = 1
    done_at: datetime | None = None
    done_in: str = ""
    done_by: str = ""

    def is_fresh(self, day: date) -> bool:
        """Return whether a session named it in the seven days up to `day`."""
        return (day - in_utc(self.named).date()).days < _FRESH_DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """All that a knowledge base holds, as its readers see it; newest first.

    `feedback` tells by memory id what was said of it, `figures` count it all.
    `approvals` tell by memory id who approved it, by its record and by git; `authors` by session id
    the address of who committed it.
    `digests` begin with the knowledge base's own project, target by target; the others follow.
    `today` is the day (UTC) as of which it is read: lists say what is recent by it. `doubts` name
    the memories to look at again, those with the most against them first; `proposed` counts the
    memories that agents proposed on this machine and nobody has decided on. `steps` are the next
    steps of sessions, open and done, the oldest first. `files` tell by record id its file, from
    the top of the repository. `backtests` tell by memory id which sessions met its trouble,
    `anchors` what it speaks of, each with held, moved, changed or gone, `stopped` what its checks
    did on this machine, in words.
    """

    sessions: tuple[SessionView, ...] = ()
    memories: tuple[Memory, ...] = ()
    reflections: tuple[Reflection, ...] = ()
    themes: tuple[Theme, ...] = ()
    problems: tuple[Problem, ...] = ()
    feedback: Mapping[str, FeedbackCounts] = field(default_factory=dict)
    improvements: tuple[Improvement, ...] = ()
    figures: Statistics | None = None
    approvals: Mapping[str, Approval] = field(default_factory=dict)
    authors: Mapping[str, str] = field(default_factory=dict)
    digests: tuple[DigestPreview, ...] = ()
    today: date | None = None
    doubts: tuple[Doubt, ...] = ()
    proposed: int = 0
    steps: tuple[NextStep, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    backtests: Mapping[str, Backtest] = field(default_factory=dict)
    anchors: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    stopped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts over a knowledge base; `unreflected_since` is when the oldest waiting session ended.

    `themes` are causes of friction, `recurring` those of two sessions or more, `unanswered` the
    recurring ones that no memory answers. `accepted` are proposals that became memories, `merged`
    those that went into an existing one; `review_hours` is the median from a session's end to its
    review. Rates and medians of nothing are None. `helped` counts the verdicts on whether each
    memory's trouble came back (`Backtest.verdict`). `standing` and
    `digest_tokens` are as of today, and None where that is not asked.
    """

    entries: int
    unreflected: int
    unreflected_since: datetime | None
    projects: int
    friction_points: int
    friction_per_session: float | None
    themes: int
    recurring: int
    unanswered: int
    memories: Mapping[str, int]
    scopes: Mapping[str, int]
    standing: Mapping[str, int] | None
    digest_tokens: int | None
    reflections: int
    accepted: int
    merged: int
    rejected: int
    acceptance_rate: float | None
    review_hours: float | None
    improvements: Mapping[str, int]
    feedback: Mapping[str, int]
    helped: Mapping[str, int]
