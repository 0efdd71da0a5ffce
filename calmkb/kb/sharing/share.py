"""Sharing whole: pull and push, record the outcome of proposals, and push that too."""

from dataclasses import dataclass, replace

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.sharing.outcomes import Settled, settle
from calmkb.kb.sharing.sync import sync_kb
from calmkb.store.sharing.sync import Synced


@dataclass(frozen=True, slots=True)
class Shared:
    """What came in and went out, and the branches of proposals whose outcome was recorded."""

    synced: Synced
    settled: tuple[Settled, ...]


def share(kb: KnowledgeBase) -> Shared:
    """Bring `kb` and its remote together; StoreError says what stood in the way."""
    kb.environment.report("Pulling and pushing", 0, 0)
    done = sync_kb(kb)
    kb.environment.report("Pulling and pushing", 1, 1)
    settled = settle(kb)
    if settled:
        again = sync_kb(kb)
        done = replace(done, pulled=done.pulled + again.pulled, pushed=done.pushed + again.pushed)
    return Shared(done, settled)
