"""In how many sessions of this machine a memory was recalled, and how many met its trouble."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from calmkb import recall
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Memory
from calmkb.model.memories.backtest import Backtest
from calmkb.model.words import counted


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that may be recalled: in how many sessions it was, and how many hit its trouble."""

    memory: Memory
    sessions: int
    met: int

    @property
    def words(self) -> str:
        """Both in one line; "" where it never was."""
        if not self.sessions:
            return ""
        sessions = counted(self.sessions, "session")
        return f"in {sessions}, {self.met} of which hit the same problem"


def recalled_in(
    kb: KnowledgeBase, memories: Iterable[Memory], tests: Iterable[Backtest]
) -> list[Recalled]:
    """Return how often each memory was recalled here; `tests` are those of the same memories."""
    rows = recall.told_rows(str(kb.environment.own))
    shown = {(str(row.get("memory")), str(row.get("session"))) for row in rows}
    again = {(test.id, one.session_id) for test in tests for one in test.met_since}
    counts = Counter(memory for memory, _ in shown)
    failed = Counter(memory for memory, _ in shown & again)
    return [Recalled(one, counts[one.id], failed[one.id]) for one in memories]
