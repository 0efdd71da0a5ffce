"""A library seen from all sides: who quotes whom, what came before, what lies in which month."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from calmkb.model import (
    CATEGORIES,
    IMPROVEMENT_STATES,
    Category,
    Doubt,
    Entry,
    Evidence,
    Improvement,
    Library,
    Memory,
    NextStep,
    Reflection,
    SessionView,
    Theme,
)
from calmkb.wings.site.content.addresses import (
    Landing,
    day_of,
    landing,
    month_of,
    project_uri,
    uris,
)
from calmkb.wings.site.content.grouping import Files, changed_files, grouped, inverted, newest
from calmkb.wings.site.text.words import names_of


@dataclass(frozen=True)
class Catalogue:
    """Everything a page may want to know of the rest; each view is made once, when asked for."""

    source: Library

    @cached_property
    def sessions(self) -> tuple[SessionView, ...]:
        """All sessions, newest first, each id once."""
        views = {view.entry.id: view for view in self.source.sessions}
        return tuple(views[one.id] for one in newest(view.entry for view in views.values()))

    @cached_property
    def memories(self) -> tuple[Memory, ...]:
        """All memories, newest first, each id once."""
        return newest(self.source.memories)

    @cached_property
    def reflections(self) -> tuple[Reflection, ...]:
        """All reflections, newest first, each id once."""
        return newest(self.source.reflections)

    @cached_property
    def improvements(self) -> dict[str, list[Improvement]]:
        """State -> its improvements, newest first, each id once."""
        groups = grouped(newest(self.source.improvements), lambda one: one.state)
        return {state: groups.get(state, []) for state in IMPROVEMENT_STATES}

    @cached_property
    def themes(self) -> tuple[Theme, ...]:
        """All themes, those of most sessions first."""
        return tuple(
            sorted(self.source.themes, key=lambda t: (-t.sessions, t.statement.lower(), t.id))
        )

    @cached_property
    def today(self) -> date | None:
        """The day as of which the site is made; without one, that of the newest record."""
        last = max((records[0].created_at for records in self.dated if records), default=None)
        return self.source.today or (day_of(last) if last else None)

    @cached_property
    def dated(self) -> tuple[tuple[Entry | Memory | Reflection, ...], ...]:
        """Sessions, memories and reflections, each newest first."""
        return tuple(view.entry for view in self.sessions), self.memories, self.reflections

    @cached_property
    def waiting(self) -> list[SessionView]:
        """The sessions that no reflection has covered yet, newest first."""
        return [view for view in self.sessions if view.reflected_at is None]

    @cached_property
    def open_steps(self) -> list[NextStep]:
        """The next steps that nobody has finished, those named last first."""
        found = [step for step in self.source.steps if step.done_at is None]
        return sorted(found, key=lambda step: (step.named, step.id), reverse=True)

    @cached_property
    def fresh_steps(self) -> list[NextStep]:
        """The open steps that a session of the last seven days named."""
        today = self.today
        return [step for step in self.open_steps if today and step.is_fresh(today)]

    @cached_property
    def doubts(self) -> list[tuple[Memory, Doubt]]:
        """The memories to look at again, each with the reason."""
        known = self.memory_by_id
        return [(known[one.memory], one) for one in self.source.doubts if one.memory in known]

    @cached_property
    def months(self) -> dict[str, list[SessionView]]:
        """`2026/10` -> its sessions; newest first."""
        return grouped(self.sessions, lambda view: month_of(view.entry))

    @cached_property
    def projects(self) -> dict[str, list[SessionView]]:
        """Project name -> its sessions; the project with the newest session first."""
        return grouped(self.sessions, lambda view: view.entry.project_name)

    @cached_property
    def changed_files(self) -> Files:
        """Project and path -> the sessions that changed the file."""
        return changed_files(self.sessions)

    @cached_property
    def categories(self) -> dict[Category, list[Memory]]:
        """Category -> its memories; empty categories are left out."""
        groups = grouped(self.memories, lambda memory: memory.category)
        return {category: groups[category] for category in CATEGORIES if category in groups}

    @cached_property
    def addresses(self) -> dict[str, str]:
        """Id of a session, memory or reflection -> address of its page."""
        return uris(v.entry for v in self.sessions) | uris(self.memories) | uris(self.reflections)

    @cached_property
    def project_uris(self) -> dict[str, str]:
        """Project name -> address."""
        return {name: project_uri(name) for name in self.projects}

    @cached_property
    def entry_by_id(self) -> dict[str, SessionView]:
        """Entry id -> session."""
        return {view.entry.id: view for view in self.sessions}

    @cached_property
    def memory_by_id(self) -> dict[str, Memory]:
        """Memory id -> memory."""
        return {memory.id: memory for memory in self.memories}

    def landing(self, evidence: Evidence) -> Landing | None:
        """Return the session that a quote is of and the place on its page; None of no session."""
        view = self.entry_by_id.get(evidence.source)
        return landing(view.entry, evidence.quote) if view else None

    def _quotable(self, source: str) -> tuple[object, ...]:
        """Return what `landing` makes its title and its place of."""
        if view := self.entry_by_id.get(source):
            one = view.entry
            return one.title, one.summary, one.friction_points, one.next_steps
        return ()

    @cached_property
    def memories_of(self) -> dict[str, list[Memory]]:
        """Entry id -> the memories that rest on it."""
        return inverted(self.memories, lambda memory: memory.sources)

    @cached_property
    def reflections_of(self) -> dict[str, list[Reflection]]:
        """Entry id -> the reflections that covered it."""
        return inverted(self.reflections, lambda one: one.entries)

    @cached_property
    def reflections_by_memory(self) -> dict[str, list[Reflection]]:
        """Memory id -> the reflections that kept it."""
        return inverted(self.reflections, lambda reflection: reflection.memories)

    @cached_property
    def tags(self) -> dict[str, list[Memory]]:
        """Tag -> its memories, newest first; tags in the order of the alphabet."""
        groups = inverted(self.memories, lambda m: [tag for tag in m.tags if tag.strip()])
        return dict(sorted(groups.items(), key=lambda one: (one[0].lower(), one[0])))

    @cached_property
    def successors(self) -> dict[str, list[Memory]]:
        """Memory id -> the memories that take its place."""
        return inverted(self.memories, lambda m: (m.supersedes,) if m.supersedes else ())

    @cached_property
    def names(self) -> dict[str, str]:
        """Who approved or reviewed -> what they are called on pages, without a mail host."""
        return names_of(
            [memory.approved_by for memory in self.memories]
            + [one.committed_by for one in self.source.approvals.values()]
            + [reflection.reviewed_by for reflection in self.reflections]
            + sorted(set(self.source.authors.values()))
            + [step.done_by for step in self.source.steps]
        )

    @cached_property
    def authors(self) -> dict[str, str]:
        """Entry id -> what the person is called on pages who committed it, where git tells."""
        named = self.names
        return {entry: named[who] for entry, who in self.source.authors.items() if named.get(who)}

    def approver(self, memory: Memory) -> str:
        """Return who approved a memory: who committed it, where the record says otherwise."""
        approval = self.source.approvals.get(memory.id)
        if approval and approval.committed_by and (approval.differs or not memory.approved_by):
            return approval.committed_by
        return memory.approved_by

    def surroundings(self, record: Entry | Memory | Reflection | Theme) -> tuple[object, ...]:
        """Return what pages show of a record beyond its fields: its address, what it cites."""
        found = self.addresses
        match record:
            case Memory():
                cited = self.places_of(record.evidence)
                who = self.names.get(record.approved_by)
                committed = self.source.approvals.get(record.id)
                return (found.get(record.id), record.id in self.successors, who, committed, cited)
            case Reflection():
                return (found.get(record.id), self.names.get(record.reviewed_by))
            case Theme():
                cited = self.places_of(record.evidence)
                return (self.memory_by_id.get(record.memory_id), found.get(record.memory_id), cited)
        return (found.get(record.id),)

    def places_of(self, evidence: Iterable[Evidence]) -> list[tuple[str | None, object]]:
        """Return where the sessions of quotes stand, and what leads there."""
        return [(self.addresses.get(e.source), self._quotable(e.source)) for e in evidence]

    @cached_property
    def neighbours(self) -> dict[str, tuple[SessionView | None, SessionView | None]]:
        """Entry id -> the earlier and the later session of the same project."""
        return {
            view.entry.id: (before, after)
            for views in self.projects.values()
            for view, before, after in zip(views, [*views[1:], None], [None, *views], strict=False)
        }
