"""What sessions said that could be learnt from, one sentence or two at a time."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from calmkb.model import CATEGORIES, Category, Entry, Origin, SessionView, split_why
from calmkb.model.sessions.entries import is_written, threads
from calmkb.model.sessions.said import Said, said_in

NOTE = "note-"  # what the session id of an imported note begins with
_OPENING = re.compile(
    r"\A(?:(?:no|nope|wait|right|yes|and|but|so|ok(?:ay)?|hm+|please|sorry|actually|well|ah|oh)"
    r"(?:[,!.:;-]|\s(?=(?:no|not|wait|and|but)\b))+\s*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One friction point or next step; `fresh` until a reflection has covered its entry.

    `quoted` where a draft gives somebody's own words, `kind` is as what (`model.sessions.said`).
    `mined` where an import took it from a transcript; a `learning` somebody wrote, and
    `with_lessons` where its session wrote some.
    `files` are what it changed. A `note` that an agent kept has a `category` and a `why` of its own
    where it says so, and is no session that met something. `thread` is the id of the oldest entry
    whose session this one resumed or forked, else its own.
    """

    text: str
    entry_id: str
    date: str
    project: str
    friction: bool
    fresh: bool
    origin: Origin
    quoted: bool = False
    files: tuple[str, ...] = ()
    note: bool = False
    category: Category | None = None
    why: str = ""
    kind: str = ""
    mined: bool = False
    learning: bool = False
    with_lessons: bool = False
    thread: str = ""

    @property
    def witness(self) -> str:
        """The entry that it counts for: of a session that was resumed, the first."""
        return self.thread or self.entry_id


def statements_of(sessions: Iterable[SessionView]) -> list[Statement]:
    """Return the statements of all sessions, oldest first, whatever their order here.

    What a resumed or forked session repeats word for word was said once.
    """
    ordered = sorted(sessions, key=lambda view: (view.entry.created_at, view.entry.id))
    roots = threads(view.entry for view in ordered)
    every = [one for view in ordered for one in _of(view, roots[view.entry.id])]
    first = {(one.thread, one.text): one.entry_id for one in reversed(every)}
    return [one for one in every if first[one.thread, one.text] == one.entry_id]


def _of(view: SessionView, thread: str) -> Iterable[Statement]:
    entry = view.entry
    note = entry.session_id.startswith(NOTE)
    category, why = _of_note(entry) if note else (None, "")
    day = entry.created_at.strftime("%Y-%m-%d")
    # A learning stands alone, as friction does; a next step only where it comes again.
    drafted = not note and not is_written(entry)
    plain = partial(Said, kind="", quoted=False)
    for friction, learning, points in (
        (True, False, said_in(entry)),
        (True, True, map(plain, entry.learnings)),
        (False, False, map(plain, entry.next_steps)),
    ):
        for one in points:
            text, reason = split_why(one.words) if learning else (one.words, "")
            line = " ".join(text.split())
            yield Statement(
                text=_sentence(line) if one.quoted else line,
                entry_id=entry.id,
                date=day,
                project=entry.project_name,
                friction=friction,
                fresh=view.reflected_at is None,
                origin="person" if one.by_person or not entry.agent else "agent",
                quoted=one.quoted,
                files=entry.files,
                note=note,
                category=category,
                why=reason or why,
                kind=one.kind,
                mined=drafted and not learning,
                learning=learning,
                with_lessons=bool(entry.learnings),
                thread=thread,
            )


def _of_note(entry: Entry) -> tuple[Category | None, str]:
    """Return the category and the reason that an imported note gives."""
    named = entry.extra.get("category")
    category = next((known for known in CATEGORIES if known == named), None)
    return category, next((one.text for one in entry.sections if one.heading == "Why"), "")


def _sentence(words: str) -> str:
    """Return what a person said in passing as a sentence: capital first, `wait,` and `no,` off."""
    text = _OPENING.sub("", words).strip() or words
    return text[:1].upper() + text[1:]
