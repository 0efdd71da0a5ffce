"""`check`: what a person should mend in a knowledge base."""

from collections import defaultdict

from calmkb.kb.base import KnowledgeBase
from calmkb.model import Entry, Memory, Problem
from calmkb.store.journal import Stored, read_journal


def check(kb: KnowledgeBase) -> list[Problem]:
    """Return unreadable records, ids that stand twice and sources that do not exist, by path."""
    stored, problems = read_journal(kb.journal)
    found = [*problems, *_doubled(stored), *_dangling(stored)]
    return sorted(found, key=lambda problem: (problem.path, problem.line, problem.message))


def _doubled(stored: list[Stored]) -> list[Problem]:
    places = defaultdict(list)
    for item in stored:
        places[item.record.id].append(item.path)
    return [
        Problem(path, 1, f"has the same id as {paths[0]}; give one of them a new UUID")
        for paths in places.values()
        for path in paths[1:]
    ]


def _dangling(stored: list[Stored]) -> list[Problem]:
    entries = {item.record.id for item in stored if isinstance(item.record, Entry)}
    return [
        Problem(item.path, 1, f"cites session {source}, which is not in this journal")
        for item in stored
        if isinstance(item.record, Memory)
        for source in item.record.sources
        if source not in entries and not source.startswith("SIG-")
    ]
