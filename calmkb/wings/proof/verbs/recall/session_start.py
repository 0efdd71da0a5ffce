"""What recall does where a session starts; a person waits for it."""

import contextlib

from calmkb import recall
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.proof.local import read_enforced
from calmkb.wings.proof.verbs.recall.bases import is_on


def session_started(kb: KnowledgeBase) -> str:
    """Take in what was approved since, where recall is on; return which enforced memory is not."""
    told = ""
    with contextlib.suppress(CalmError, OSError):
        if read_enforced(kb.environment.own):
            from calmkb.wings.proof.verbs.enforce.switch import unheld

            told = "; ".join(f"memory {one[:8]} is not enforced: {why}" for one, why in unheld(kb))
    with contextlib.suppress(CalmError, OSError):
        if (kb.environment.own / recall.INDEX).exists() and is_on(kb):
            # What makes the list takes as long to load as all else at a start.
            from calmkb.wings.proof.verbs.recall.recall import refresh_recall

            refresh_recall(kb)
    return told
