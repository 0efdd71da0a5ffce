"""The page that proves memories: what each saved and still costs, and the state of its anchors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from calmkb.model import Memory
from calmkb.model.memories.backtest import Backtest
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import Page, leaves

PROOF = "memories/proof/index.md"
PROOF_A_PAGE = 40


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of a memory beside its words: which sessions met it, what of the code moved.

    `stopped` is what its checks did on the machine that builds the site, in words.
    """

    memory: Memory
    backtest: Backtest | None
    broken: tuple[tuple[str, str], ...]
    stopped: str = ""

    @property
    def since(self) -> int:
        """How many sessions met its trouble although it was there."""
        return len(self.backtest.met_since) if self.backtest else 0

    @property
    def before(self) -> int:
        """How many sessions met its trouble again before it was approved."""
        return len(self.backtest.met) if self.backtest else 0


def proofs(catalogue: Catalogue) -> list[Proof]:
    """Return the current memories of which something is known, what still costs first."""
    found, source = [], catalogue.source
    for memory in catalogue.memories:
        if catalogue.successors.get(memory.id):
            continue
        anchors = source.anchors.get(memory.id, ())
        broken = tuple((value, state) for value, state in anchors if state != "held")
        stopped = source.stopped.get(memory.id, "")
        one = Proof(memory, source.backtests.get(memory.id), broken, stopped)
        if one.since or one.before or anchors or memory.enforce or one.stopped:
            found.append(one)
    return sorted(found, key=lambda one: (-one.since, -len(one.broken), -one.before))


def proof_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the list; none where nothing is known of any memory."""
    found = proofs(catalogue)
    for uri, leaf, some in leaves(PROOF, found, PROOF_A_PAGE) if found else ():
        values: dict[str, Any] = {
            "proofs": list(some),
            "leaf": leaf,
            "number": len(found),
            "every": len(catalogue.memories),
            "costing": sum(one.since > 0 for one in found),
            "broken": sum(bool(one.broken) for one in found),
            "enforced": sum(bool(one.memory.enforce) for one in found),
        }
        yield Page(uri, "proof", values, title="What memories save")
