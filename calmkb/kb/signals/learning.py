"""`reflect --signals`: what captured signals teach, and what becomes of each that is decided on."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.export.safe_text import one_line
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.search.methods import method_of
from calmkb.kb.signals.begun import Begun, begun
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
from calmkb.kb.signals.known import Known
from calmkb.kb.signals.places import Places, project_at, shown
from calmkb.kb.signals.project_improvements import kb_of, keep_record, record_of, with_item
from calmkb.kb.signals.signals import fresh_store
from calmkb.model import Improvement, Problem
from calmkb.redact import Redactor
from calmkb.reflect.signals.classify import heading_for
from calmkb.reflect.signals.learnings import Gathered, Learning, Levels, Met, gather
from calmkb.reflect.signals.sections import add_item
from calmkb.store.signals.clean import json_clean
from calmkb.store.signals.store import KEPT_DAYS, SignalStore

__all__ = ["Learning", "Plan", "Waiting", "finish", "keep", "plan", "skip", "waiting"]

_MARKS = re.compile(r"\A(?:(?:[-*+>]|#{1,6})(?:\s+|\Z))+")


@dataclass(frozen=True)
class Waiting:
    """What waits for a person, and what a review needs to carry decisions out.

    `here` is the project at hand, nothing outside any; `begun` was written by a review that was
    killed before it could say so.
    """

    kb: KnowledgeBase
    store: SignalStore
    here: str
    gathered: Gathered
    begun: tuple[Begun, ...]
    problems: tuple[Problem, ...]
    clean: Callable[[str], str]
    writer: Writer = field(default_factory=Writer)
    reviewer: str = ""
    """The person who decides; empty where none is seen to, as behind an agent's shell."""

    def targets(self, learning: Learning) -> dict[Target, Path]:
        """Return where a learning can go; without a project at hand, only to the global file."""
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
class Plan:
    """A line on its way: the file, its new text (None where it says so already), the category.

    `record` is that of an improvement, `new` where it has yet to be committed.
    """

    path: Path
    line: str
    text: str | None
    category: str
    record: Improvement | None = None
    new: bool = False


def waiting(kb: KnowledgeBase, *, reviewer: str = "") -> Waiting:
    """Return what the captured signals teach that is not known yet; writes no person's file.

    `reviewer` is the person at the terminal: without one nothing is written for every project.
    """
    environment = kb.environment
    fresh_store(environment)
    # This one writes repositories by their paths: two of one name must be told apart later.
    machine = Redactor(home=environment.home, user=environment.user, host=environment.host)
    store = SignalStore(environment.state, clean=json_clean(machine))
    signals = [one for one in store.query() if one.type != "summary"]
    captured = [one for one in signals if one.status == "captured"]
    here = project_at(environment.cwd, environment)
    places, done = Places(environment, here), begun(captured, environment)
    written = {name for one in done for name in one.signals}
    met = [Met(one, places.project_of(one)) for one in captured if one.id not in written]
    redactor = kb.redactor(*sorted({p for one in met if Path(p := one.project).is_absolute()}))

    def clean(text: str) -> str:
        # A mark in front would make the line a heading, a quotation or a list in the list.
        return _MARKS.sub("", one_line(redactor.text(text)))

    gathered = Gathered()
    if met:
        known = Known(kb, [one for one in signals if one.status != "captured"])
        method = method_of(kb)
        levels = Levels(method.theme, method.duplicate, method)
        gathered = gather(met, known, levels, clean=clean, here=here)
    problems = tuple(store.problems())
    return Waiting(kb, store, here, gathered, tuple(done), problems, clean, reviewer=reviewer)


def plan(waiting: Waiting, learning: Learning, target: Target, text: str = "") -> Plan:
    """Return what `keep` would write.

    Raises CalmError where the target is not open to this learning, the text is empty, or the file
    cannot be read as UTF-8 text.
    """
    places = waiting.targets(learning)
    if target not in places:
        raise CalmError(
            f"learning {learning.id}: no project is open for it, so {target} cannot be chosen; "
            f"choose from: {', '.join(places)}"
        )
    if target == "global" and not waiting.reviewer:
        raise CalmError(
            f"learning {learning.id}: your global CLAUDE.md reaches agents in every project, so "
            "only a person at a terminal adds to it, with: calmkb reflect --signals"
        )
    line = waiting.clean(text or learning.text)
    if not line:
        raise CalmError(f"learning {learning.id}: the text is empty; give it at least one word")
    path = real(places[target], within=None if target == "global" else Path(learning.project))
    before, category = text_or_template(path, target), learning.category
    if target == "improvements":
        place = kb_of(waiting.kb, Path(learning.project))
        record, new = record_of(place, learning, line, approved_by=waiting.reviewer)
        after = with_item(before, record, line)
        return Plan(path, line, None if after == before else after, category, record, new)
    category = heading_for(line, learning.lead.type, category)
    after = add_item(before, category, line)
    return Plan(path, line, None if after == before else after, category)


def keep(waiting: Waiting, learning: Learning, target: Target, text: str = "") -> Path:
    """Write a learning into its target at once, then settle its signals; return the file.

    An improvement is committed as a record first.

    What is about to be written is noted first: a review that is killed in between leaves a line
    that the next one takes for what it is, and never writes twice. CalmError changes nothing.
    """
    made = plan(waiting, learning, target, text)
    lead, now = learning.lead.id, waiting.kb.environment.now()
    if waiting.store.get(lead).status != "captured":
        raise CalmError(f"signal {lead} was decided on elsewhere; reflect again")
    others = [one.id for one in learning.signals if one.id != lead]
    one = Begun(waiting.shown(made.path), made.line, (lead, *others))
    waiting.store.update(lead, {"category": made.category, "meta": one.note()}, now=now)
    if made.record:
        keep_record(kb_of(waiting.kb, Path(learning.project)), made.record, new=made.new)
    if made.text is not None:
        waiting.writer.put(made.path, made.text)
    _promote(waiting, one)
    return made.path


def skip(waiting: Waiting, *learnings: Learning) -> None:
    """Dismiss learnings: all their signals are done with."""
    names = [one.id for learning in learnings for one in learning.signals]
    _settle(waiting, names, {"status": "dismissed"})


def finish(waiting: Waiting) -> int:
    """Settle what is known or was half done, and prune; return how many signals went.

    What is known would else be counted as pending for as long as it is kept.
    """
    for one in waiting.begun:
        _promote(waiting, one)
    skip(waiting, *waiting.gathered.known)
    return waiting.store.archive(days=KEPT_DAYS, now=waiting.kb.environment.now())


def _promote(waiting: Waiting, one: Begun) -> None:
    lead, *others = one.signals
    waiting.store.promote(lead, one.path, one.line, now=waiting.kb.environment.now())
    changes = {"status": "promoted", "promoted_to": one.path, "related": [lead]}
    _settle(waiting, others, changes)


def _settle(waiting: Waiting, names: Sequence[str], changes: Mapping[str, object]) -> None:
    if not names:
        return
    there = {one.id for one in waiting.store.query(status="captured")}
    for name in names:
        if name in there:  # a rival may have pruned or decided it meanwhile
            waiting.store.update(name, changes, now=waiting.kb.environment.now())
