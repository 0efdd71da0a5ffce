"""One improvement: its record and its item in a file brought together, and committed."""

from dataclasses import replace
from datetime import UTC, datetime

from calmkb.documents import parse
from calmkb.errors import RecordError
from calmkb.export.safe_text import one_line
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.improvements import FiledImprovement, change_improvement, locate_improvement
from calmkb.model import IMPACTS, IMPROVEMENT_STATES, Improvement, Section
from calmkb.reflect.improvements_file import Item, said
from calmkb.reflect.improvements_merge import Settled, settle
from calmkb.reflect.learnings_improvements import Words, bare_title, sureness, words_of
from calmkb.store.attributes import checked_out
from calmkb.store.versions import commits_of

OTHERWISE = "Said otherwise"
"""The section of a record that keeps words which gave way to others."""
_BY_HAND = "written by hand"


def read_back(
    kb: KnowledgeBase, identity: str, item: Item, place: str
) -> tuple[Improvement, bool, bool]:
    """Commit what an item says that its record does not; return the record as it stands then.

    And whether there was anything to commit, and whether both sides had changed the same words.
    """
    filed = locate_improvement(kb, identity)
    ours, theirs = words_of(filed.record, one_line), said(item, filed.record, one_line)
    done = settle(ours, theirs, _base(kb, filed, item.mark, (ours, theirs)))
    made = _taken(kb, filed.record, ours, done)
    changed = change_improvement(kb, filed, made, reason=f"As {place} says.")
    return made, changed, bool(done.otherwise)


def defer(kb: KnowledgeBase, identity: str, reason: str) -> Improvement:
    """Commit that an improvement is deferred, and return it."""
    filed = locate_improvement(kb, identity)
    made = replace(filed.record, state="deferred")
    change_improvement(kb, filed, made, reason=reason)
    return made


def adopted(kb: KnowledgeBase, item: Item, lines: list[str], project: str) -> Improvement:
    """Return a record of an item that a person wrote; nothing is committed yet."""
    line = kb.redactor().line
    value = {name: line(part.value) for name, part in item.parts.items()}
    title = line(item.title)
    sure = sureness(value.get("confidence", "")) or ("low", _BY_HAND)
    impact = value.get("impact", "").lower()
    return Improvement(
        id=item.identity or kb.world.new_id(),
        created_at=_moment(item.date) or kb.world.now(),
        title=title,
        details=value.get("details") or kb.redactor().text(item.text(lines)).strip() or title,
        category=value.get("category", ""),
        impact=next((one for one in IMPACTS if one == impact), "low"),
        action=value.get("action", ""),
        confidence=sure[0],
        reason=sure[1],
        project=project,
        state=next(one for one in IMPROVEMENT_STATES if one == item.state),
    )


def _moment(date: str) -> datetime | None:
    try:
        return datetime.fromisoformat(date).replace(tzinfo=UTC)
    except ValueError:
        return None


def _base(
    kb: KnowledgeBase, filed: FiledImprovement, mark: str, sides: tuple[Words, Words]
) -> Words | None:
    """Return what both sides said when they were last in step: from git where both have moved on.

    None where nothing tells.
    """
    for words in sides:
        if words.mark == mark:
            return words
    if not mark.strip("0"):
        return None
    path = f"{kb.prefix}/{filed.path}"
    for commit in reversed(commits_of(kb.repository, [path])):
        for blob in (one.blob for one in commit.touched if one.blob):
            try:
                old = parse(checked_out(kb.repository, path, blob).decode(), filed.path)
            except (RecordError, UnicodeDecodeError):
                continue
            if isinstance(old, Improvement) and words_of(old, one_line).mark == mark:
                return words_of(old, one_line)
    return None


def _taken(kb: KnowledgeBase, record: Improvement, ours: Words, done: Settled) -> Improvement:
    """Return the record as it was settled; parts that nobody changed keep their form."""
    words, line = done.words, kb.redactor().line

    def new(name: str) -> str:
        told: str = getattr(words, name)
        return getattr(record, name) if told == getattr(ours, name) else line(told)

    sure = sureness(line(words.confidence)) if words.confidence != ours.confidence else None
    made = replace(
        record,
        state=next(one for one in IMPROVEMENT_STATES if one == words.state),
        title=bare_title(new("title")),
        category=new("category"),
        impact=next(one for one in IMPACTS if one == words.impact),
        details=new("details"),
        action=new("action"),
        confidence=sure[0] if sure else record.confidence,
        reason=sure[1] if sure else record.reason,
    )
    if words != replace_state(ours, words.state):
        made = replace(made, approved_by="")  # other words than those that were approved
    if done.otherwise:
        told = "\n".join(f"{label}: {text}" for label, text in done.otherwise)
        made = replace(made, sections=(*made.sections, Section(OTHERWISE, told)))
    return made


def replace_state(words: Words, state: str) -> Words:
    """Return the words with another state."""
    return replace(words, state=state)
