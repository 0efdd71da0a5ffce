"""One queue of all that a reflection asks about: proposals, improvements, signals."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from calmkb.cli.base.text import visible
from calmkb.cli.reflect.review import ProposalReview
from calmkb.cli.reflect.signals import SignalReviewing
from calmkb.cli.review.held import HeldDecisions, HeldReview, as_action
from calmkb.cli.review.items import Item, Kind, State, Verb
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.improvements import read_improvements, set_state
from calmkb.kb.reflect.saved_decisions import save_acts, saved_acts
from calmkb.kb.signals.learning import open_review
from calmkb.model import Decision, Improvement, ImprovementState

_ALIKE: dict[Verb, Verb] = {"reject": "dismiss", "dismiss": "reject"}
_NAME = "-improvements"
_SHOWN = 10  # improvements that are asked about at once


class Part(Kind, Protocol):
    """A kind that is written at the end of a review."""

    def close(self, *, done: bool) -> str:
        """Write what is to be written, where the person is `done`; return what to say."""


class Queue:
    """Several kinds of review, one after the other, with one set of keys."""

    prompt = "reflect"
    noun = "item"
    verbs: Mapping[Verb, str] = {
        **ProposalReview.verbs,
        "accept": "accept it: a memory; a line of its file, [or p, g, i]; an improvement made",
        "reject": "reject it, [with a reason]; an improvement is deferred",
        "edit": "edit its words; [never]: as the prohibition that is shown",
        "quit": "leave: only lines of files are written, what you decided is kept",
    }

    def __init__(self, parts: Sequence[Kind]) -> None:
        self.parts = [part for part in parts if part.items]
        self.acts: list[list[Kind]] = []

    @property
    def items(self) -> Sequence[Item]:
        """The items of all parts."""
        found = [item for part in self.parts for item in part.items]
        if len(self.parts) == 1:
            return found
        return [replace(item, heading=f"{number} of {len(found)} · {item.heading}".rstrip(" ·"))
                for number, item in enumerate(found, 1)]  # fmt: skip

    def state(self, number: int) -> State:
        """Return the decision on an item."""
        part, own = self._own(number)
        return part.state(own)

    def decide(self, verb: Verb, numbers: Sequence[int], text: str) -> str:
        """Decide on items, each in its part; CalmError where one of them has no such verb."""
        chosen = [(part, own) for part in self.parts for number in numbers
                  for one, own in [self._own(number)] if one is part]  # fmt: skip
        parts = list(dict.fromkeys(part for part, _ in chosen))
        verbs = [_verb_of(part, verb) for part in parts]
        said: list[str] = []
        for part, named in zip(parts, verbs, strict=True):
            said.append(part.decide(named, [own for one, own in chosen if one is part], text))
            self.acts = [*self.acts[: len(self.acts) - (len(said) > 1)], parts[: len(said)]]
        return "\n".join(filter(None, said))

    def undo(self) -> tuple[Sequence[int], str]:
        """Take the last line back, one of an earlier review too."""
        last = self.acts.pop() if self.acts else []
        done = [(part, *part.undo()) for part in last] or [self._undo_earlier()]
        numbers = [number + sum(len(one.items) for one in self.parts[: self.parts.index(part)])
                   for part, own, _ in done for number in own]  # fmt: skip
        return numbers, "\n".join(dict.fromkeys(words for *_, words in done))

    def _undo_earlier(self) -> tuple[Kind, Sequence[int], str]:
        for part in self.parts:
            with suppress(CalmError):
                return part, *part.undo()
        raise CalmError("there is nothing to undo")

    def left(self) -> str:
        """Return what to say where the person leaves."""
        return "\n".join(part.left() for part in self.parts)

    def _own(self, number: int) -> tuple[Kind, int]:
        for part in self.parts:
            if number <= len(part.items):
                return part, number
            number -= len(part.items)
        raise CalmError("there is no such item")


def _verb_of(part: Kind, verb: Verb) -> Verb:
    """Return the verb as this part has it; CalmError where it has none."""
    for one in (verb, _ALIKE.get(verb, verb)):
        if one in part.verbs:
            return one
    raise CalmError(f"{verb} is for proposals; of this {part.noun} choose: {', '.join(part.verbs)}")


class ImprovementReview(HeldReview):
    """Improvements that are pending; what was decided is written at the end, a commit each."""

    noun = "improvement"
    verbs: Mapping[Verb, str] = {
        "accept": "mark it as applied", "reject": "defer it, [with a reason]",
        "skip": "skip it for later",
    }  # fmt: skip

    def __init__(self, kb: KnowledgeBase, found: Sequence[Improvement]) -> None:
        self.kb, self.found = kb, found
        self.held = HeldDecisions([one.id for one in found], saved_acts(kb, _NAME),
                                  lambda acts: save_acts(kb, acts, _NAME))  # fmt: skip

    @property
    def items(self) -> Sequence[Item]:
        """The improvements, with what to do."""
        return [Item(id=one.id, text=one.title, facts=f"{one.impact} impact, {one.project}",
                     hints=tuple(filter(None, (one.details, one.action))),
                     evidence=tuple(f"{e.date}: {e.quote}" for e in one.evidence),
                     group="Improvements") for one in self.found]  # fmt: skip

    def decide(self, verb: Verb, numbers: Sequence[int], text: str) -> str:
        """Decide on improvements."""
        ids = [self.found[number - 1].id for number in numbers]
        self.held.add(
            [Decision(proposal_id=one, action=as_action(verb), reason=text) for one in ids]
        )
        return ""

    def close(self, *, done: bool) -> str:
        """Commit what was decided where the person is done; return a line for each."""
        if not done:
            return ""
        decided = self.held.in_order()
        self.held.clear()
        return "\n".join(self._written(one) for one in decided if one.action != "skip")

    def _written(self, decision: Decision) -> str:
        state: ImprovementState = "applied" if decision.action == "accept" else "deferred"
        record, _ = set_state(self.kb, decision.proposal_id, state, reason=decision.reason)
        return visible(f"{record.id[:8]} is {state}: {record.title}")


def other_parts(kb: KnowledgeBase, reviewer: str, *, more: bool) -> list[Part]:
    """Return what is asked about after the proposals: improvements and signals."""
    improvements, _ = read_improvements(kb, state="pending")
    parts = (ImprovementReview(kb, improvements[: None if more else _SHOWN]),
             SignalReviewing(open_review(kb, reviewer=reviewer)))  # fmt: skip
    return [part for part in parts if part.items]
