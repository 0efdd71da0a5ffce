"""What recall does where a session starts; a person waits for it."""

import contextlib

from calmkb import recall
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.proof.verbs.recall.bases import is_on


def session_started(kb: KnowledgeBase) -> None:
    """Take in what was approved since, where recall is on; otherwise what was is shown."""
    if not (kb.environment.own / recall.INDEX).exists():
        return
    with contextlib.suppress(CalmError, OSError):
        if is_on(kb):  # what makes the list takes as long to load as all else at a start
            from calmkb.wings.proof.verbs.recall.recall import refresh_recall

            refresh_recall(kb)
