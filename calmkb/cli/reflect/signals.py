"""`calmkb reflect --signals`: captured signals, reviewed one at a time and written at once."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from calmkb.cli.base.common import warn_of_problems
from calmkb.cli.base.text import counted, visible
from calmkb.cli.reflect.signals_json import apply_decisions, waiting_json
from calmkb.cli.review.held import edited
from calmkb.cli.review.items import Item, State, Verb
from calmkb.cli.review.loop import review, rows
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.signals.files import Target
from calmkb.kb.signals.learning import Learning, SignalReview, dismiss, finish, keep, open_review

_MANY = 10  # from so many on, the person is first asked how to go through them
_KEYS: dict[str, Target] = {"p": "project", "g": "global", "i": "improvements"}
_NAMES = {"project": "the project's CLAUDE.md", "global": "your global CLAUDE.md",
          "improvements": "the project's improvements"}  # fmt: skip


def reflect_signals(
    kb: KnowledgeBase, *, as_json: bool, decisions: str | None, dry_run: bool, reviewer: str
) -> None:
    """Review captured signals at the terminal, or through JSON; `reviewer` is the person there."""
    found = open_review(kb, reviewer=reviewer)
    warn_of_problems(found.problems)
    if decisions:
        click.echo(apply_decisions(found, decisions, as_json=as_json))
    elif as_json:
        click.echo(waiting_json(found))
    elif not found.gathered.open:
        click.echo(_nothing(found))
        if not dry_run:
            finish(found)
    elif dry_run:
        click.echo(rows(SignalReviewing(found)))
    else:
        _review(found)


def _nothing(found: SignalReview) -> str:
    known = len(found.gathered.known)
    if not known:
        return "Nothing to reflect on."
    every = "the one learning captured is" if known == 1 else f"all {known} learnings captured are"
    return f"Nothing new to reflect on: {every} already known."


def _review(found: SignalReview) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CalmError(
            "a review needs a terminal; without one: calmkb reflect --signals --json > FILE, fill "
            'in each "target", then: calmkb reflect --signals --apply FILE'
        )
    if known := len(found.gathered.known):
        click.echo(f"{known} already known, not asked again.")
    kind = SignalReviewing(found)
    click.echo("\n" + kind.close(done=review(kind, ask_how=len(kind.learnings) >= _MANY)))


class SignalReviewing:
    """Learnings, oldest first; what is decided on one is carried out at once."""

    prompt = "reflect"
    noun = "learning"

    def __init__(self, found: SignalReview) -> None:
        self.found = found
        self.learnings: list[Learning] = list(found.gathered.open)
        self.words: dict[str, str] = {}
        self.states: dict[str, State] = {}
        self.added: dict[str, str] = {}

    @property
    def verbs(self) -> Mapping[Verb, str]:
        """The verbs; `accept` names the files that there are."""
        places = {target for one in self.learnings for target in self.found.targets(one)}
        keys = [f"{key}: {_NAMES[target]}" for key, target in _KEYS.items() if target in places]
        return {
            "accept": f"add it where it is suggested, or to [{', '.join(keys)}]",
            "edit": "edit its words first",
            "skip": "skip it for later",
            "dismiss": "dismiss it: not asked again",
            "done": "leave the rest for another time",
            "quit": "leave: what was decided stays, the rest is asked next time",
        }

    @property
    def items(self) -> Sequence[Item]:
        """The learnings as they are shown."""
        count = len(self.learnings)
        return [self._item(one, number, count) for number, one in enumerate(self.learnings, 1)]

    def state(self, number: int) -> State:
        """Return what was decided on a learning."""
        return self.states.get(self.learnings[number - 1].id, "open")

    def decide(self, verb: Verb, numbers: Sequence[int], text: str) -> str:
        """Carry a decision out; CalmError where the file cannot be edited, say."""
        chosen = [self.learnings[number - 1] for number in numbers]
        if any(self.states.get(one.id) for one in chosen):
            raise CalmError("that is decided already, and written")
        if verb == "edit":
            for one in chosen:
                self.words[one.id] = " ".join(edited(self._words(one)).split())
            return "\n".join(self._words(one) for one in chosen)
        if verb == "dismiss":
            dismiss(self.found, *chosen)
            self.states |= {one.id: "dismissed" for one in chosen}
            return ""
        return "\n".join(dict.fromkeys(self._accept(one, text) for one in chosen))

    def undo(self) -> tuple[Sequence[int], str]:
        """Say that a decision is written: a file is a person's to change back."""
        if not self.states:
            raise CalmError("there is nothing to undo")
        return (), (
            "what was decided here is written: change the file by hand, and to be asked again run: "
            """calmkb signal update ID '{"status": "captured"}'"""
        )

    def left(self) -> str:
        """Return the last lines of a review."""
        dismissed = sum(state == "dismissed" for state in self.states.values())
        items = counted(len(self.states), "item")
        lines = [f"Reflected on {items}: {len(self.added)} added, {dismissed} skipped."]
        files = sorted(Counter(self.added.values()).items())
        lines += [f"- {count} in {path}" for path, count in files]
        kept = sorted(self.found.shown(path) for path in self.found.writer.kept)
        lines += [f"The file before this review is kept as {path}" for path in kept]
        left = len(self.learnings) - len(self.states)
        return "\n".join([*lines, f"{left} left for another time."] if left else lines)

    def close(self, *, done: bool) -> str:
        """Finish the review; return its last lines."""
        finish(self.found)
        return self.left()

    def _accept(self, learning: Learning, text: str) -> str:
        key = text.strip().lower()
        target = _KEYS.get(key[:1]) if key else self.found.suggested(learning)
        if target is None or target not in self.found.targets(learning):
            there = [k for k, one in _KEYS.items() if one in self.found.targets(learning)]
            raise CalmError(f"{text!r} is not a place for it; choose from: {', '.join(there)}")
        path = self.found.shown(keep(self.found, learning, target, self._words(learning)))
        self.states[learning.id] = "accepted"
        self.added[learning.id] = path
        return f"added to {path}"

    def _words(self, learning: Learning) -> str:
        return self.words.get(learning.id, learning.text)

    def _item(self, learning: Learning, number: int, count: int) -> Item:
        lead = learning.lead
        kind = lead.type.replace("_", " ")
        best = self.found.suggested(learning)
        targets = self.found.targets(learning)
        against = f"contradicts what is known: {learning.against}"
        facts = f"{learning.category}, {learning.scope}; suggested: {_NAMES[best]}, "
        named = {one.project for one in self.learnings} != {self.found.here}
        return Item(
            id=learning.id,
            text=self._words(learning),
            heading=f"Learning {number} of {count} — {kind} ({learning.confidence} confidence)",
            facts=facts + self.found.shown(targets[best]),
            warnings=(against,) if learning.against else (),
            hints=tuple(filter(None, (
                f"context: {lead.context}" if lead.context else "",
                f"source: {_source(learning)}",
            ))),
            evidence=tuple(f"also: {words}" for words in learning.also),
            group=f"Project: {_project(self.found, learning)}" if named else "",
        )  # fmt: skip


def _source(learning: Learning) -> str:
    lead = learning.lead
    turn = lead.source.get("turn")
    parts = [str(lead.source.get("hook") or "captured")]
    parts += [f"turn {turn}"] if turn else []
    parts += [lead.timestamp[:10], f"session {lead.session_id[:8]}" if lead.session_id else ""]
    parts += [f"{learning.sessions} sessions"] if learning.sessions > 1 else []
    return ", ".join(part for part in parts if part)


def _project(found: SignalReview, learning: Learning) -> str:
    place = Path(learning.project)
    return visible(found.shown(place) if place.is_absolute() else learning.project) or "none"
