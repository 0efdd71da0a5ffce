"""Recall switched on and off by a person: for a knowledge base, and its hook in the client."""

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.hooks.toggle import SettingsChange, switch_recall_hook
from calmkb.kb.recall.recall import note_base


def switch_recall(kb: KnowledgeBase, *, on: bool) -> SettingsChange:
    """Switch recall for agents in this project's folder on or off.

    CalmError where there is no knowledge base to tell of.
    """
    return switch_recall_hook(kb.environment, on=note_base(kb, on=on))
