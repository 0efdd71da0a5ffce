"""Decisions that are kept as they are taken, and carried out at the end of a review."""

from collections.abc import Callable, Sequence

from calmkb.cli.base.editor import edit_words
from calmkb.cli.review.items import State, Verb
from calmkb.errors import CalmError
from calmkb.kb.reflect.saved_decisions import in_force
from calmkb.model import Action, Decision

Acts = list[list[Decision]]
_STATES: dict[Action, State] = {
    "accept": "accepted", "reject": "rejected", "merge": "merged", "replace": "replaces",
    "dismiss": "dismissed", "skip": "open",
}  # fmt: skip


class HeldDecisions:
    """The decisions on things with these `ids`, in their order, those of one line together.

    `acts` were taken before; those on what is not asked about any more are left out. `keep` is
    called with all of them after each line, so that leaving loses nothing.
    """

    def __init__(
        self, ids: Sequence[str], acts: Sequence[Sequence[Decision]], keep: Callable[[Acts], None]
    ) -> None:
        self.ids = list(ids)
        here = ([one for one in made if one.proposal_id in self.ids] for made in acts)
        self.acts: Acts = [made for made in here if made]
        self._keep = keep

    def of(self, number: int) -> Decision | None:
        """Return the decision that holds for an item."""
        return in_force(self.acts).get(self.ids[number - 1])

    def state(self, number: int) -> State:
        """Return the same in a word."""
        found = self.of(number)
        return _STATES[found.action] if found else "open"

    def in_order(self) -> list[Decision]:
        """Return the decisions that hold, in the order of the items."""
        made = in_force(self.acts)
        return [made[one] for one in self.ids if one in made]

    def add(self, made: Sequence[Decision]) -> None:
        """Take the decisions of one line."""
        self.acts = [*self.acts, list(made)]
        self._keep(self.acts)

    def clear(self) -> None:
        """Forget all decisions: they were carried out."""
        self.acts = []
        self._keep([])

    def undo(self) -> tuple[Sequence[int], str]:
        """Take the last line's decisions back, those of an earlier review too."""
        if not self.acts:
            raise CalmError("there is nothing to undo")
        *rest, last = self.acts
        self.acts = rest
        self._keep(rest)
        return [self.ids.index(one.proposal_id) + 1 for one in last], "Taken back."


class HeldReview:
    """A review whose decisions are held until its end: what all of them have in common."""

    prompt = "reflect"
    held: HeldDecisions

    def state(self, number: int) -> State:
        """Return the decision on an item."""
        return self.held.state(number)

    def undo(self) -> tuple[Sequence[int], str]:
        """Take the last line's decisions back."""
        return self.held.undo()

    def left(self) -> str:
        """Return what to say where the person leaves."""
        return "You left. Your decisions are kept for the next time, and not written yet."


def as_action(verb: Verb) -> Action:
    """Return the verb of a decision as it is kept."""
    return "accept" if verb == "edit" else verb  # type: ignore[return-value]


def edited(text: str) -> str:
    """Return a text as the person leaves it in their editor; CalmError where it is empty."""
    words = edit_words(text)
    if not words:
        raise CalmError("an empty text was not taken")
    return words
