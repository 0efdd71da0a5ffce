"""The message of a reflection's commit, and the command that takes it back."""

import shlex

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Reflection
from calmkb.model.words import counted


def commit_message(record: Reflection, created: int | None = None) -> str:
    """Return the message of the commit that adds a reflection, with `created` memories."""
    memories = counted(len(record.memories) if created is None else created, "memory", "memories")
    sessions = counted(len(record.entries), "session")
    return f"reflect: {memories}, {sessions} reflected on\n\nCalm-Reflection: {record.id}\n"


def undo_command(kb: KnowledgeBase, commit: str) -> str:
    """Return the command of git that takes a commit back, from the folder that one is in."""
    top, cwd = kb.repository.top, kb.environment.cwd
    where = "" if cwd == top or top in cwd.parents else f"-C {shlex.quote(str(top))} "
    return f"git {where}revert --no-edit {commit[:8]}"
