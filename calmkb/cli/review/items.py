"""What a review asks about, and what each kind of review does with the answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Verb = Literal[
    "accept", "reject", "edit", "merge", "replace", "skip", "dismiss", "undo", "list", "held",
    "view", "help", "done", "quit",
]  # fmt: skip
State = Literal["open", "accepted", "rejected", "merged", "replaces", "dismissed"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to decide on, as it is shown.

    `heading` is shown above its `text`, `facts` below it; `warnings` and `hints` are lines of their
    own, `evidence` is folded. `group` is shown where it changes.
    """

    id: str
    text: str
    heading: str = ""
    facts: str = ""
    warnings: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    group: str = ""


class Kind(Protocol):
    """A kind of review: its items, the verbs it has, and what they do.

    `verbs` names what each verb does here, in the order of the keys. Numbers count from 1.
    """

    @property
    def prompt(self) -> str:
        """The word before the `>`."""

    @property
    def noun(self) -> str:
        """What an item is called."""

    @property
    def verbs(self) -> Mapping[Verb, str]:
        """The verbs, and what each does here."""

    @property
    def items(self) -> Sequence[Item]:
        """The items in the order in which they are asked about."""

    def state(self, number: int) -> State:
        """Return the decision on an item."""

    def decide(self, verb: Verb, numbers: Sequence[int], text: str) -> str:
        """Decide on items and return what to say of it; CalmError where that cannot be."""

    def undo(self) -> tuple[Sequence[int], str]:
        """Take the last decision back; return the items and what to say. CalmError if none."""

    def left(self) -> str:
        """Return what to say where the person leaves before the end."""
