"""In how many sessions of this machine a memory was recalled, and how many met its trouble."""

from dataclasses import dataclass

from calmkb import recall
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Memory
from calmkb.model.memories.backtest import Backtest
from calmkb.model.words import counted


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that may be recalled: in how many sessions it was, and how many met its trouble."""

    memory: Memory
    sessions: int
    met: int

    @property
    def words(self) -> str:
        """Both in one line."""
        sessions = counted(self.sessions, "session")
        return f"in {sessions}, {self.met} of which met its trouble all the same"


def recalled_in(kb: KnowledgeBase, memory: Memory, test: Backtest | None) -> Recalled | None:
    """Return how often a memory was recalled here; None where it never was."""
    rows = recall.told_rows(str(kb.environment.state))
    sessions = {str(row.get("session")) for row in rows if row.get("memory") == memory.id}
    met = {one.session_id for one in test.met_since} if test else set()
    return Recalled(memory, len(sessions), len(sessions & met)) if sessions else None
