"""The review of proposals: decisions are kept as they are taken, and written at its end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from calmkb.cli.reflect.proposal_items import in_groups, item_of
from calmkb.cli.review.held import Acts, HeldDecisions, HeldReview, as_action, edited
from calmkb.cli.review.items import Item, Verb
from calmkb.errors import CalmError
from calmkb.model import GLOBAL_SCOPE, UNKNOWN_SCOPE, Decision, Proposal


class ProposalReview(HeldReview):
    """Proposals group by group, and the decisions on them so far.

    `acts` were taken before; those on proposals that have changed since are asked again. `keep` is
    called with all of them after each line, so that leaving loses nothing; `check` raises
    CalmError on a decision that cannot be applied. `here` is the project that one works in.
    """

    noun = "proposal"
    verbs: Mapping[Verb, str] = {
        "accept": "accept it: it becomes a memory, [for here, everywhere, NAME or src/**]",
        "reject": "reject it, [with a reason]; new evidence brings it back",
        "edit": "edit its words and accept it; [never]: as the prohibition that is shown",
        "merge": "add its evidence to a memory: [the memory's id], else the one it resembles",
        "replace": "accept it in place of a memory: [the memory's id], else the one it contradicts",
        "skip": "skip it for later",
        "dismiss": "dismiss it: rejected for good",
        "done": "write what was decided, in one commit; the rest is asked next time",
        "quit": "leave: nothing is written, and what you decided is kept",
    }

    def __init__(
        self,
        proposals: Sequence[Proposal],
        acts: Sequence[Sequence[Decision]],
        *,
        keep: Callable[[Acts], None],
        check: Callable[[Decision], None],
        here: str = "",
    ) -> None:
        self.proposals = in_groups(proposals)
        self.held = HeldDecisions([one.id for one in self.proposals], acts, keep)
        self._check, self._here = check, here

    @property
    def items(self) -> Sequence[Item]:
        """The proposals, in the words that a person gave them."""
        made = {one.proposal_id: one for one in self.held.in_order()}
        return [item_of(one, made.get(one.id)) for one in self.proposals]

    def decide(self, verb: Verb, numbers: Sequence[int], text: str) -> str:
        """Decide on proposals; CalmError where a decision could not be applied."""
        made = [self._decision(verb, number, text) for number in numbers]
        for decision in made:
            self._check(decision)
        self.held.add(made)
        return "\n".join(dict.fromkeys(filter(None, (self._message(one) for one in made))))

    def _decision(self, verb: Verb, number: int, text: str) -> Decision:
        proposal, before = self.proposals[number - 1], self.held.of(number)
        made = Decision(proposal_id=proposal.id, action=as_action(verb))
        if before:  # where a person said that it holds
            made = replace(made, scope=before.scope, paths=before.paths)
        match verb:
            case "edit" if text == "never" and proposal.guardrail:
                return replace(made, text=proposal.guardrail)
            case "edit":
                words = (before.text if before else "") or proposal.text
                return replace(made, text=edited(words))
            case "merge" | "replace":
                return replace(made, into=_named(verb, proposal, text))
            case "reject":
                return replace(made, reason=text)
            case "accept" if proposal.scope == UNKNOWN_SCOPE and len(text.split()) == 1:
                words = before.text if before else ""
                return replace(made, text=words, **self._scope(text))
            case _ if text:
                raise CalmError(f"{verb} takes no text; e edits the words, r gives a reason")
            case _:
                return made

    def _scope(self, word: str) -> dict[str, Any]:
        """Return where a person says that a proposal holds."""
        files = "*" in word or "/" in word
        if (word == "here" or files) and not self._here:
            raise CalmError("no project is open here; name one, or say everywhere")
        scope = self._here if word == "here" or files else word
        named = GLOBAL_SCOPE if word == "everywhere" else scope
        return {"scope": named, "paths": (word,) if files else ()}

    def _message(self, decision: Decision) -> str:
        match decision.action:
            case "merge":
                return f"merged into the memory {decision.into[:8]}"
            case "replace":
                return f"replaces the memory {decision.into[:8]}"
            case "accept" if decision.text:
                return f"accepted as: {decision.text}"
            case "accept" if decision.scope:
                return f"accepted for {' '.join((decision.scope, *decision.paths))}"
            case _:
                return ""


def _named(verb: Verb, proposal: Proposal, text: str) -> str:
    """Return the memory that the person names, else the one that the proposal is compared with."""
    verdict = proposal.verdict
    if text:
        return text.split()[0]
    if verdict.other and (verb == "merge" or verdict.kind == "conflict"):
        return verdict.other
    how = "resembles" if verb == "merge" else "contradicts"
    raise CalmError(
        f"this {how} no memory; name one after the key, with an id from: calmkb memory list"
    )
