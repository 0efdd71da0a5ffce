"""Improvements of projects: stored, found, listed, and marked as applied or deferred."""

from dataclasses import replace

from calmkb.documents import render
from calmkb.documents.paths import FOLDERS
from calmkb.kb.base.filed import Filed, commit_message, read_filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import find_records, only
from calmkb.model import Improvement, ImprovementState, Problem
from calmkb.store.journal import read_journal

_REOPENED = "reopened"


def read_improvements(
    kb: KnowledgeBase, *, project: str | None = None, state: str | None = None
) -> tuple[tuple[Improvement, ...], tuple[Problem, ...]]:
    """Return improvements, newest first, and their files that could not be read."""
    stored, problems = read_journal(kb.journal, below=FOLDERS["improvement"])
    kb.note(problems)
    wanted = None if project is None else project.casefold()
    found = [
        item.record
        for item in stored
        if isinstance(item.record, Improvement)
        and wanted in (None, item.record.project.casefold())
        and state in (None, item.record.state)
    ]
    found.sort(key=lambda item: (item.created_at, item.id), reverse=True)
    return tuple(found), tuple(problems)


def locate_improvement(kb: KnowledgeBase, prefix: str) -> Filed[Improvement]:
    """Return the improvement whose id begins so, as it is on disk now.

    Raises NotFoundError where none or many do, StoreError where its file cannot be read.
    """
    kb.catch_up()
    found = find_records(kb, prefix, "improvement")
    named = [(one.fields["id"], one.path) for one in found]
    path = only("improvement", prefix, named, "not found; list them with: calmkb improvements list")
    return read_filed(kb, path, Improvement)


def store_improvement(kb: KnowledgeBase, record: Improvement) -> None:
    """Commit a new improvement."""
    kb.save_record(record, _message(record.state, record, ""))


def set_state(
    kb: KnowledgeBase, prefix: str, state: ImprovementState, *, reason: str = ""
) -> tuple[Improvement, bool]:
    """Commit a new state of the improvement whose id begins so; return it and whether it changed.

    Raises NotFoundError where none or many do, StoreError where the file changed meanwhile.
    """
    filed = locate_improvement(kb, prefix)
    if filed.record.state == state:
        return filed.record, False
    made = replace(filed.record, state=state)
    verb = _REOPENED if state == "pending" else state
    message = _message(verb, made, kb.redactor.text(reason).strip())
    kb.save({filed.path: render(made).encode()}, message, expected=filed.expected)
    return made, True


def _message(verb: str, record: Improvement, reason: str) -> str:
    """Return `improve(category): applied title`, the reason, the trailer."""
    subject = f"improve({record.category or 'project'}): {verb} {record.title}"
    return commit_message(subject, reason, f"Calm-Improvement: {record.id}")
