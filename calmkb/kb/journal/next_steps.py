"""Next steps of sessions: listed with their age, and marked as done."""

from datetime import timedelta

from calmkb.kb.base.cache_paths import derived_cache
from calmkb.kb.base.filed import commit_message
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index, only
from calmkb.kb.journal.sessions import Contents, read_contents
from calmkb.model import FinishedStep, NextStep
from calmkb.reflect.statements.next_steps import next_steps
from calmkb.store.index.queries import all_records

FORGOTTEN_DAYS = 180
"""A step that nobody named for so long is no longer listed."""


def list_steps(
    kb: KnowledgeBase, *, project: str | None = None, done: bool = False
) -> tuple[NextStep, ...]:
    """Return the open next steps, the oldest first; with `done` those that are done."""
    wanted = None if project is None else project.casefold()
    return tuple(
        step
        for step in steps_of(kb, read_contents(kb, "session"))
        if (step.done_at is not None) == done and wanted in (None, step.project.casefold())
    )


def steps_of(kb: KnowledgeBase, contents: Contents) -> tuple[NextStep, ...]:
    """Return the next steps, open and done, that sessions of the last half year named."""
    since = kb.environment.now() - timedelta(days=FORGOTTEN_DAYS)
    recent = [view.entry for view in contents.sessions if view.entry.created_at >= since]
    marks = ask_index(kb, lambda index: all_records(index, "step"))
    finished = [mark for mark in marks if isinstance(mark, FinishedStep)]
    with derived_cache(kb) as kept:
        return next_steps(recent, finished, kept=kept)


def finish_step(kb: KnowledgeBase, prefix: str) -> NextStep:
    """Record that the open step whose id begins with `prefix` is done, and return it.

    Raises NotFoundError where none or several do.
    """
    kb.catch_up()
    wanted = prefix.strip().lower()
    found = [(one.id, one) for one in list_steps(kb) if wanted and one.id.startswith(wanted)]
    step = only("next step", prefix, found, "is not open; list them with: calmkb next")
    record = FinishedStep(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        entry=step.entry,
        step=step.text,
        finished_by=kb.reviewer(),
    )
    subject = f"next({step.project or 'no project'}): done {' '.join(step.text.split())}"
    message = commit_message(subject, "", f"Calm-Entry: {step.entry}")
    kb.save_record(record, message)
    return step
