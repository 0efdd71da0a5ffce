"""The review of proposals as a state machine: lines in, decisions out, without a terminal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from calmkb.errors import CalmError
from calmkb.model import Action, Category, Decision, Proposal

GROUPS: dict[Category, str] = {
    "error": "Debugging Insights",
    "fact": "Codebase Knowledge",
    "workflow": "Workflow Patterns",
    "decision": "Decisions",
    "preference": "Preferences",
}
HELP = """\
a 1-3,5        accept these                r 2 [reason]   reject, with a reason
e 4            edit in your editor         s 4            skip: ask again next time
m 4 [memory]   add it to a memory          v 4            show all of its evidence
1 3            toggle accepted             undo           undo the last decision
all            accept all still open       none           reject all still open
done           keep the decisions          quit           leave; continue another time
"""
_WORDS_OF = re.compile(r"[\w./-]{4,}")
_MEMORY_ID = re.compile(r"\s([0-9a-f][0-9a-f-]{3,35})\s*\Z", re.IGNORECASE)
_MANY = re.compile(r"\d+(?:\s*-\s*\d+)?(?:[\s,]+\d+(?:\s*-\s*\d+)?)*")
_ALONE = ("all", "none", "done", "quit", "undo", "help")
_WORDS = {word: word for word in _ALONE} | {
    "d": "done", "q": "quit", "u": "undo", "h": "help", "?": "help", "": "nothing"
}  # fmt: skip
_WITH_NUMBERS = ("accept", "reject", "skip", "edit", "view", "merge")
_LETTERS = {key: verb for verb in _WITH_NUMBERS for key in (verb[0], verb)}
_DECIDES: dict[str, Action] = {
    "accept": "accept", "reject": "reject", "skip": "skip", "all": "accept", "none": "reject"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    """One line of a reviewer: a verb, the numbers it is about (from 1), and a text."""

    verb: str
    numbers: tuple[int, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """The proposals in the order of their numbers, and the decisions so far.

    `before` is the review as it was before the last decision.
    """

    proposals: tuple[Proposal, ...]
    decisions: dict[int, Decision] = field(default_factory=dict)
    before: "Review | None" = None

    def state(self, number: int) -> Action:
        """Return the decision on a proposal; `skip` while there is none."""
        decision = self.decisions.get(number)
        return decision.action if decision else "skip"

    def decided(
        self,
        numbers: Sequence[int],
        action: Action,
        *,
        text: str = "",
        reason: str = "",
        into: str = "",
    ) -> "Review":
        """Return the review with these numbers decided; `skip` removes a decision."""
        changed = dict(self.decisions)
        for number in numbers:
            if action == "skip":
                changed.pop(number, None)
            else:
                proposal = self.proposals[number - 1]
                changed[number] = Decision(
                    proposal_id=proposal.id, action=action, text=text, reason=reason, into=into
                )
        return replace(self, decisions=changed, before=self)

    def open_numbers(self) -> list[int]:
        """Return the numbers without a decision."""
        return [n for n in range(1, len(self.proposals) + 1) if n not in self.decisions]

    def result(self) -> list[Decision]:
        """Return the decisions in the order of the numbers."""
        return [decision for _, decision in sorted(self.decisions.items())]


def begin(proposals: Sequence[Proposal], earlier: Sequence[Decision] = ()) -> Review:
    """Return a review of `proposals`, numbered group by group, best first in each.

    `earlier` decisions are kept where their proposal is unchanged.
    """
    order = list(GROUPS)
    review = Review(tuple(sorted(proposals, key=lambda p: order.index(p.category))))
    made = {decision.proposal_id: decision for decision in earlier}
    kept = {
        number: made[proposal.id]
        for number, proposal in enumerate(review.proposals, 1)
        if proposal.id in made and made[proposal.id].action != "skip"
    }
    return replace(review, decisions=kept)


def grouped(review: Review) -> list[tuple[str, list[tuple[int, Proposal]]]]:
    """Return (heading, [(number, proposal), …]) in order."""
    numbered = enumerate(review.proposals, 1)
    groups = groupby(numbered, key=lambda pair: GROUPS[pair[1].category])
    return [(heading, list(pairs)) for heading, pairs in groups]


def parse(line: str, count: int) -> Command:
    """Return the command in `line`; CalmError says what is wrong with it, and how to write it."""
    text = line.strip()
    if text.lower() in _WORDS:
        return Command(_WORDS[text.lower()])
    letter, _, rest = text.partition(" ")
    verb = _LETTERS.get(letter.lower())
    if verb is None and text[0].isdigit():
        verb, rest = "toggle", text
    glued = re.match(r"([a-z])(\d.*)", text, re.IGNORECASE)
    if verb is None and glued and glued[1].lower() in _LETTERS:
        verb, rest = _LETTERS[glued[1].lower()], glued[2]
    if verb is None:
        raise CalmError(f"{text!r} is not understood; type ? for help")
    into = _MEMORY_ID.search(rest) if verb == "merge" else None
    rest = rest[: into.start()] if into else rest
    found = _MANY.match(rest.strip())
    if not found:
        raise CalmError(f"{verb} what? Give numbers, as in: {letter} 1-3,5")
    words = into[1] if into else rest.strip()[found.end() :].strip(" :-")
    return Command(verb, _numbers(found[0], count), words)


def apply(review: Review, command: Command) -> Review:
    """Return the review after a command that decides; others leave it as it is."""
    numbers, reason = command.numbers, ""
    if command.verb in ("all", "none"):
        numbers = tuple(review.open_numbers())
    if command.verb == "reject":
        reason = command.words
    if action := _DECIDES.get(command.verb):
        return review.decided(numbers, action, reason=reason)
    if command.verb == "toggle":
        return _toggled(review, command)
    if command.verb == "merge":
        return _merged(review, command)
    if command.verb == "undo":
        if review.before is None:
            raise CalmError("there is nothing to undo")
        return review.before
    return review


def _toggled(review: Review, command: Command) -> Review:
    toggled = review
    for number in command.numbers:
        action: Action = "skip" if review.state(number) == "accept" else "accept"
        toggled = toggled.decided([number], action)
    return replace(toggled, before=review)


def _merged(review: Review, command: Command) -> Review:
    """Merge each into the named memory, else into the one that it resembles."""
    merged = review
    for number in command.numbers:
        into = command.words or review.proposals[number - 1].verdict.other
        if not into:
            raise CalmError(f"{number} resembles no memory; name one, as in: m {number} 0c9d51b2")
        merged = merged.decided([number], "merge", into=into)
    return replace(merged, before=review)


def _numbers(text: str, count: int) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[\s,]+", re.sub(r"\s*-\s*", "-", text)):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= count:
            raise CalmError(f"{part} is out of range; there are proposals 1 to {count}")
        numbers += range(low, high + 1)
    return tuple(dict.fromkeys(numbers))


def new_words(text: str, known: str) -> str:
    """Return the words of `text` that are not in `known`, at most twelve."""
    seen = {word.casefold() for word in _WORDS_OF.findall(known)}
    words = dict.fromkeys(w for w in _WORDS_OF.findall(text) if w.casefold() not in seen)
    return ", ".join(list(words)[:12])
