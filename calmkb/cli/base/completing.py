"""Ids and names that a shell completes: read from the index, in silence."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from calmkb.kb.base.knowledge_base import KnowledgeBase

Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]
_MOST = 50
_HELP = 60


def _quietly(find: "Callable[[KnowledgeBase], list[tuple[str, str]]]") -> Completer:
    """Return a completer of what `find` yields; whatever goes wrong, nothing is offered."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        from calmkb.kb.base.environment import process_environment
        from calmkb.kb.base.knowledge_base import open_kb

        try:
            option = context.find_root().params.get("kb")
            found = find(open_kb(process_environment(), option=option))
        except Exception:  # a shell shows errors in the middle of the line
            return []
        fitting = [one for one in found if one[0].startswith(incomplete)]
        return [CompletionItem(value, help=text[:_HELP]) for value, text in fitting[:_MOST]]

    return complete


def _memories(kb: "KnowledgeBase") -> list[tuple[str, str]]:
    from calmkb.kb.journal.sessions import read_memories

    return [(one.id[:8], one.text.split("\n", 1)[0]) for one in read_memories(kb)]


def _sessions(kb: "KnowledgeBase") -> list[tuple[str, str]]:
    from calmkb.kb.journal.sessions import read_contents

    views = read_contents(kb).sessions
    entries = sorted((one.entry for one in views), key=lambda one: one.created_at, reverse=True)
    return [(one.id[:8], one.summary.split("\n", 1)[0]) for one in entries]


def _records(kb: "KnowledgeBase") -> list[tuple[str, str]]:
    return [*_sessions(kb), *_memories(kb)]


def _projects(kb: "KnowledgeBase") -> list[tuple[str, str]]:
    from calmkb.kb.journal.sessions import read_contents

    names = {one.entry.project_name for one in read_contents(kb).sessions}
    return [(name, "") for name in sorted(names) if name]


def _agents(kb: "KnowledgeBase") -> list[tuple[str, str]]:
    from calmkb.kb.runs.agents import agent_types

    return [(name, "") for name in agent_types(kb)]


memory_ids = _quietly(_memories)
session_ids = _quietly(_sessions)
record_ids = _quietly(_records)
projects = _quietly(_projects)
agents = _quietly(_agents)
