"""Next steps of sessions: which are open, and which somebody or a later session says are done.

A later session of the same project finishes a step where one sentence of its summary has the
step's verb and nearly all of its other words, and does not speak of something still to come.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from calmkb.model import Entry, FinishedStep, NextStep
from calmkb.reflect.memo import Store, memoized
from calmkb.reflect.similarity.terms import stems

SHARE = 0.75  # of a step's words, how many the sentence must have that says it is done
LEAST_WORDS = 3  # words of a step below which a sentence that has them by chance would finish it
COMPARED = 200  # open steps of a project that a session is compared with, the newest
_CONDITION = re.compile(
    r"[,;:(]|\b(?:once|when|after|before|until|if|so that|since|because|as soon as)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_STILL_TO_COME = re.compile(
    r"\b(?:not|never|no|nothing|none|still|next|todo|to do|will|would|should|must|later|tomorrow"
    r"|remains?|pending|open|plan(?:ned|s)?|needs?|half|partly|tried|cannot|could|failed|without)\b|n't\b",
    re.IGNORECASE,
)
_ID_LENGTH = 8
_TIMES = ("since", "named", "done_at")
_QUESTION = ('Answer the question "', "Answer the question \u201c")
"""How drafts once told of an agent's last question: nobody answers it weeks later."""


def next_steps(
    entries: Iterable[Entry], finished: Iterable[FinishedStep] = (), *, kept: Store | None = None
) -> tuple[NextStep, ...]:
    """Return the next steps of all sessions, those named first coming first.

    A step that a later session names again stays one step; one named after it was done is new.
    With `kept`, what was found for a project whose events are as they were is not found again.
    """
    projects: dict[str, list[Entry | FinishedStep]] = {}
    project_of: dict[str, str] = {}
    for entry in entries:
        project_of[entry.id] = entry.project_name
        projects.setdefault(entry.project_name, []).append(entry)
    for mark in finished:
        if mark.entry in project_of:
            projects[project_of[mark.entry]].append(mark)
    steps = [step for events in projects.values() for step in _of_project(events, kept)]
    return tuple(sorted(steps, key=lambda step: (step.since, step.project)))


def _of_project(events: list[Entry | FinishedStep], kept: Store | None) -> tuple[NextStep, ...]:
    """Return the next steps of one project, in the order in which they were named first."""
    events.sort(key=_order)

    def make() -> list[dict[str, Any]]:
        walk = _Walk()
        for event in events:
            if isinstance(event, Entry):
                walk.session(event)
            else:
                walk.mark(event)
        return [_row(step) for step in walk.steps]

    return tuple(map(_from_row, memoized(kept, "steps", map(_said, events), make)))


def _said(event: Entry | FinishedStep) -> tuple[object, ...]:
    """Return what the steps depend on of an event."""
    if isinstance(event, Entry):
        return event.id, event.created_at, event.summary, event.next_steps, event.thread
    return event.id, event.created_at, event.entry, event.step, event.finished_by


def _row(step: NextStep) -> dict[str, Any]:
    times = {name: at and at.isoformat() for name in _TIMES for at in [getattr(step, name)]}
    return asdict(step) | times


def _from_row(row: dict[str, Any]) -> NextStep:
    times = {name: row[name] and datetime.fromisoformat(row[name]) for name in _TIMES}
    return NextStep(**row | times)


def _order(event: Entry | FinishedStep) -> tuple[datetime, bool, str]:
    """Return what events are sorted by: records are to the second, and a step is named first."""
    names = isinstance(event, Entry) and bool(event.next_steps)
    return (event.created_at, not names, event.id)


class _Walk:
    """A project's steps met so far, in the order of time; `open` has their places by words."""

    def __init__(self) -> None:
        self.steps: list[NextStep] = []
        self._open: dict[frozenset[str], int] = {}
        self._verbs: dict[int, str] = {}
        self._entries: dict[str, frozenset[str]] = {}

    def session(self, entry: Entry) -> None:
        """Take a session: what it did is done, what it names is open."""
        self._entries[entry.id] = frozenset(entry.thread)
        for words in self._finished_in(entry.summary) if self._open else ():
            self._finish(words, entry.created_at, in_=entry.id)
        for text in entry.next_steps:
            verb, words = _words(text)
            if words and not text.startswith(_QUESTION):
                self._name(entry, text, verb, words)

    def mark(self, mark: FinishedStep) -> None:
        """Take somebody's word that a step is done."""
        if mark.entry in self._entries:
            _, words = _words(mark.step)
            self._finish(words, mark.created_at, by=mark.finished_by)

    def _name(self, entry: Entry, text: str, verb: str, words: frozenset[str]) -> None:
        if (place := self._open.pop(words, None)) is not None:
            known = self.steps[place]
            times = known.times + self._entries[known.entry].isdisjoint(entry.thread)
            self.steps[place] = replace(
                known, text=text, entry=entry.id, named=entry.created_at, times=times
            )
        else:
            place = len(self.steps)
            self._verbs[place] = verb
            self.steps.append(
                NextStep(
                    id=_identity(entry.id, text),
                    text=text,
                    entry=entry.id,
                    project=entry.project_name,
                    since=entry.created_at,
                    named=entry.created_at,
                )
            )
        self._open[words] = place  # at the end: the newest are compared

    def _finish(self, words: frozenset[str], at: datetime, *, in_: str = "", by: str = "") -> None:
        place = self._open.pop(words, None)
        if place is not None:
            step = self.steps[place]
            self.steps[place] = replace(step, done_at=at, done_in=in_, done_by=by)

    def _finished_in(self, summary: str) -> Sequence[frozenset[str]]:
        every = stems(summary).keys()
        compared = list(self._open.items())[-COMPARED:]
        may = [pair for pair in compared if _says(every, pair[0], self._verbs[pair[1]])]
        if not may:
            return ()
        sentences = [
            stems(one).keys() for one in _SENTENCE.split(summary) if not _STILL_TO_COME.search(one)
        ]
        return [
            words
            for words, place in may
            if any(_says(sentence, words, self._verbs[place]) for sentence in sentences)
        ]


def _says(sentence: "Iterable[str]", words: frozenset[str], verb: str) -> bool:
    there = words & set(sentence)
    return len(words) >= LEAST_WORDS and verb in there and len(there) >= SHARE * len(words)


def _words(text: str) -> tuple[str, frozenset[str]]:
    """Return the stem of a step's first word, its verb, and its words up to a condition."""
    line = " ".join(text.split())
    head = next((part for part in _CONDITION.split(line) if len(part.split()) > 1), line)
    found = list(stems(head))
    return (found[0], frozenset(found)) if found else ("", frozenset())


def _identity(entry: str, text: str) -> str:
    digest = hashlib.sha256(f"{entry}\0{text}".encode(errors="replace"))
    return digest.hexdigest()[:_ID_LENGTH]
