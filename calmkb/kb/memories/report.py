"""`memory report`: how each memory fares, told by sessions, feedback, recall and its age."""

from dataclasses import dataclass

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.memories.backtest import backtests
from calmkb.kb.memories.feedback import counted, feedback_given
from calmkb.kb.memories.recalled import Recalled, recalled_in
from calmkb.kb.memories.retirements import retirements
from calmkb.kb.memories.show import confidence_of
from calmkb.kb.search.friction import session_texts
from calmkb.model import FeedbackCounts, Memory, Standing
from calmkb.model.memories.backtest import Backtest
from calmkb.reflect.memories.stale import Ground


@dataclass(frozen=True, slots=True)
class Reported:
    """A memory and how it fares; `grounds` are why a person should look at it again."""

    memory: Memory
    standing: Standing
    counts: FeedbackCounts
    backtest: Backtest
    recalled: Recalled
    grounds: tuple[Ground, ...]


def memory_report(kb: KnowledgeBase) -> list[Reported]:
    """Return each memory, those whose trouble most sessions met since its approval first."""
    contents = read_contents(kb)
    memories, texts = contents.memories, session_texts(kb, contents.sessions)
    given, tests = feedback_given(kb, memories), backtests(kb, memories, contents, texts)
    looked_at = retirements(kb, contents, texts, given, tests)
    stale = {one.memory.id: one.grounds for one in looked_at}
    found = []
    for test, recalled in zip(tests, recalled_in(kb, memories, tests), strict=True):
        memory = recalled.memory
        said = given.get(memory.id, ())
        standing, grounds = confidence_of(kb, memory, said), stale.get(memory.id, ())
        found.append(Reported(memory, standing, counted(said), test, recalled, grounds))
    return sorted(found, key=_rank)


def _rank(one: Reported) -> tuple[int, int, int, str]:
    met = (-len(one.backtest.met_since), -len(one.backtest.met))
    return (*met, -len(one.grounds), one.memory.id)
