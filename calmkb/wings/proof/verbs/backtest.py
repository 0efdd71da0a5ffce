"""`backtest`: every memory and waiting proposal held against the sessions since."""

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.memories.backtest import backtests
from calmkb.kb.memories.files import find_memory
from calmkb.kb.reflect.reflection import pending
from calmkb.model import Memory, Proposal
from calmkb.model.memories.backtest import Backtest


def backtest(kb: KnowledgeBase, prefix: str = "") -> list[Backtest]:
    """Return the backtest of each memory and waiting proposal, what most sessions met first.

    With a `prefix`, that of the one whose id begins so; NotFoundError where there is none.
    """
    contents = read_contents(kb)
    replaced = {memory.supersedes for memory in contents.memories}
    standing = [memory for memory in contents.memories if memory.id not in replaced]
    asked: list[Memory | Proposal] = [*standing, *pending(kb).proposals.open]
    if prefix:
        asked = [one for one in asked if one.id.startswith(prefix)][:1] or [find_memory(kb, prefix)]
    found = backtests(kb, asked, contents)
    return sorted(found, key=_rank)


def _rank(one: Backtest) -> tuple[int, int, str]:
    """Order by the sessions that met the trouble, before and since, then by what it cost."""
    return (-len(one.met) - len(one.met_since), -one.saved.turns, one.id)
