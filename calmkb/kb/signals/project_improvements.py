"""Improvements of a project: the record, and its item in `.claude/improvements.md`."""

from dataclasses import replace
from pathlib import Path

from calmkb.export.safe_text import one_line
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.improvements import read_improvements, store_improvement
from calmkb.kb.project.init import ensure_kb
from calmkb.model import Evidence, Improvement
from calmkb.reflect.signals.improvements import PENDING, entry, holds, suggested
from calmkb.reflect.signals.learnings import Learning
from calmkb.reflect.signals.sections import add_entry

_QUOTED = 5


def kb_of(kb: KnowledgeBase, project: Path) -> KnowledgeBase:
    """Return the knowledge base that serves `project`, unless another one was asked for by name."""
    if kb.root != open_kb(kb.environment).root:
        return kb
    return open_kb(replace(kb.environment, cwd=project))


def record_of(
    kb: KnowledgeBase, learning: Learning, line: str, *, approved_by: str
) -> tuple[Improvement, bool]:
    """Return the record of a learning, and whether it is new: a review that was killed made it."""
    there = kb.at(Path(learning.project))
    redactor, project = there.redactor, there.project.name
    for known in read_improvements(kb, project=project, state="pending")[0]:
        if one_line(known.details) == line:
            return known, False
    found = suggested(learning, line)
    made = Improvement(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        title=found.title,
        details=line,
        category=found.category,
        impact=found.impact,
        action=found.action,
        confidence=found.confidence,
        reason=found.reason,
        project=project,
        approved_by=approved_by,
        evidence=tuple(
            Evidence(quote=quote, source=one.id, date=one.timestamp[:10], project=project)
            for one in learning.signals[:_QUOTED]
            if (quote := redactor.text(one.content).strip())
        ),
        sources=tuple(signal.id for signal in learning.signals),
    )
    return made, True


def with_item(text: str, record: Improvement, line: str) -> str:
    """Return the text of an improvements file with an item of `record`, unless it has one."""
    if holds(text, line):
        return text
    return add_entry(text, PENDING, entry(record, one_line))


def keep_record(kb: KnowledgeBase, record: Improvement, *, new: bool) -> None:
    """Commit a record that is new."""
    if not new:
        return
    store_improvement(ensure_kb(kb), record)
