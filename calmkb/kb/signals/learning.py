"""`reflect --signals`: what captured signals teach, and the decisions on each."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.export.safe_text import one_line
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.search.methods import method_of
from calmkb.kb.signals.files import (
    TARGETS,
    Target,
    Writer,
    global_file,
    improvements_file,
    project_file,
    real,
    text_or_template,
)
from calmkb.kb.signals.known import ProjectStatements
from calmkb.kb.signals.places import Places, project_at, shown
from calmkb.kb.signals.project_improvements import kb_of, keep_record, record_of, with_item
from calmkb.kb.signals.signals import fresh_store
from calmkb.kb.signals.unfinished_writes import UnfinishedWrite, unfinished_writes
from calmkb.model import Improvement, Problem
from calmkb.redact import Redactor
from calmkb.reflect.signals.classify import heading_for
from calmkb.reflect.signals.learnings import Gathered, Learning, ProjectSignal, Thresholds, gather
from calmkb.reflect.signals.sections import add_item
from calmkb.store.signals.pending import is_asked
from calmkb.store.signals.store import KEPT_DAYS, SignalStore

__all__ = ["Learning", "SignalReview", "dismiss", "finish", "keep", "open_review", "plan"]

_MARKS = re.compile(r"\A(?:(?:[-*+>]|#{1,6})(?:\s+|\Z))+")


@dataclass(frozen=True)
class SignalReview:
    """What waits for a person, and what a review needs to carry decisions out.

    `here` is the current project, empty outside any; `unfinished` was written by a review that was
    killed before it could record that.
    """

    kb: KnowledgeBase
    store: SignalStore
    here: str
    gathered: Gathered
    unfinished: tuple[UnfinishedWrite, ...]
    problems: tuple[Problem, ...]
    clean: Callable[[str], str]
    writer: Writer = field(default_factory=Writer)
    reviewer: str = ""
    """The person who decides; empty where there is none, as behind an agent's shell."""

    def targets(self, learning: Learning) -> dict[Target, Path]:
        """Return where a learning can go; without a current project only to the global file."""
        places: dict[Target, Path] = {"global": global_file(self.kb.environment)}
        folder = Path(learning.project)
        if self.here and learning.project and folder.is_absolute() and folder.is_dir():
            places["project"] = project_file(folder)
            places["improvements"] = improvements_file(folder)
        return {target: places[target] for target in TARGETS if target in places}

    def suggested(self, learning: Learning) -> Target:
        """Return the target that fits the learning's side and scope, of those there are."""
        fits: Target = "improvements" if learning.side == "project" else learning.scope
        return fits if fits in self.targets(learning) else "global"

    def shown(self, path: Path) -> str:
        """Return a path as people write it, and as the signal store keeps it."""
        return shown(path, self.kb.environment)


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A line to write: the file, its new text (None if it has the line already), the category.

    `record` is that of an improvement, `new` where it has yet to be committed.
    """

    path: Path
    line: str
    text: str | None
    category: str
    record: Improvement | None = None
    new: bool = False


def open_review(kb: KnowledgeBase, *, reviewer: str = "") -> SignalReview:
    """Return what the captured signals teach that is not known yet; writes no file of a person.

    `reviewer` is the person at the terminal: without one nothing is written for every project.
    """
    environment = kb.environment
    fresh_store(environment)
    # This store keeps repositories by their paths: two of one name must stay distinct.
    machine = Redactor(home=environment.home, user=environment.user, host=environment.host)
    store = SignalStore(environment.state, clean=machine.text_or_json)
    signals = [one for one in store.query() if is_asked(one.type, one.source)]
    captured = [one for one in signals if one.status == "captured"]
    here = project_at(environment.cwd, environment)
    places, done = Places(environment, here), unfinished_writes(captured, environment)
    written = {name for one in done for name in one.signals}
    met = [ProjectSignal(one, places.project_of(one)) for one in captured if one.id not in written]
    folders = sorted({place for one in met if (place := Path(one.project)).is_absolute()})
    redactor = replace(kb, folders=tuple(folders)).redactor

    def clean(text: str) -> str:
        # A mark in front would make the line a heading, a quotation or a list in the list.
        return _MARKS.sub("", one_line(redactor.text(text)))

    gathered = Gathered()
    if met:
        known = ProjectStatements(kb, [one for one in signals if one.status != "captured"])
        method = method_of(kb)
        levels = Thresholds(method.theme, method.duplicate, method)
        gathered = gather(met, known, levels, clean=clean, here=here)
    problems = tuple(store.problems())
    return SignalReview(kb, store, here, gathered, tuple(done), problems, clean, reviewer=reviewer)


def plan(review: SignalReview, learning: Learning, target: Target, text: str = "") -> PlannedLine:
    """Return what `keep` would write.

    Raises CalmError where the target is not open to this learning, the text is empty, or the file
    cannot be read as UTF-8 text.
    """
    places = review.targets(learning)
    if target not in places:
        raise CalmError(
            f"learning {learning.id}: no project is open for it, so {target} cannot be chosen; "
            f"choose from: {', '.join(places)}"
        )
    if target == "global" and not review.reviewer:
        raise CalmError(
            f"learning {learning.id}: your global CLAUDE.md reaches agents in every project, so "
            "only a person at a terminal adds to it, with: calmkb reflect --signals"
        )
    line = review.clean(text or learning.text)
    if not line:
        raise CalmError(f"learning {learning.id}: the text is empty; give it at least one word")
    path = real(places[target], within=None if target == "global" else Path(learning.project))
    before, category = text_or_template(path, target), learning.category
    if target == "improvements":
        place = kb_of(review.kb, Path(learning.project))
        record, new = record_of(place, learning, line, approved_by=review.reviewer)
        after = with_item(before, record, line)
        return PlannedLine(path, line, None if after == before else after, category, record, new)
    category = heading_for(line, learning.lead.type, category)
    after = add_item(before, category, line)
    return PlannedLine(path, line, None if after == before else after, category)


def keep(review: SignalReview, learning: Learning, target: Target, text: str = "") -> Path:
    """Write a learning into its target at once, then mark its signals promoted; return the file.

    An improvement is committed as a record first.

    What is about to be written is recorded first: the next review recognizes the line of one that
    was killed, and never writes it twice. On CalmError nothing is changed.
    """
    made = plan(review, learning, target, text)
    lead, now = learning.lead.id, review.kb.environment.now()
    if review.store.get(lead).status != "captured":
        raise CalmError(f"signal {lead} was decided on elsewhere; reflect again")
    others = [one.id for one in learning.signals if one.id != lead]
    one = UnfinishedWrite(review.shown(made.path), made.line, (lead, *others))
    review.store.update(lead, {"category": made.category, "meta": one.note()}, now=now)
    if made.record:
        keep_record(kb_of(review.kb, Path(learning.project)), made.record, new=made.new)
    if made.text is not None:
        review.writer.put(made.path, made.text)
    _promote(review, one)
    return made.path


def dismiss(review: SignalReview, *learnings: Learning) -> None:
    """Dismiss learnings with all their signals."""
    names = [one.id for learning in learnings for one in learning.signals]
    _update_captured(review, names, {"status": "dismissed"})


def finish(review: SignalReview) -> int:
    """Finish interrupted writes, dismiss what is known, prune; return how many signals went.

    What is known would otherwise be counted as pending for as long as it is kept.
    """
    for one in review.unfinished:
        _promote(review, one)
    dismiss(review, *review.gathered.known)
    return review.store.archive(days=KEPT_DAYS, now=review.kb.environment.now())


def _promote(review: SignalReview, one: UnfinishedWrite) -> None:
    lead, *others = one.signals
    review.store.promote(lead, one.path, one.line)
    changes = {"status": "promoted", "promoted_to": one.path, "related": [lead]}
    _update_captured(review, others, changes)


def _update_captured(
    review: SignalReview, names: Sequence[str], changes: Mapping[str, object]
) -> None:
    if not names:
        return
    there = {one.id for one in review.store.query(status="captured")}
    for name in names:
        if name in there:  # another process may have pruned or decided it meanwhile
            review.store.update(name, changes, now=review.kb.environment.now())
