"""The weeks of a journal: what happened, what was learnt and decided, what is open."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from calmkb.model import Memory, NextStep, Reflection, SessionView, Theme
from calmkb.wings.site.content.addresses import day_of
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.text.words import day

How = Literal["came back", "new", "again"]
_HOWS: tuple[How, ...] = ("came back", "new", "again")


@dataclass(frozen=True, slots=True)
class Met:
    """A recurring trouble in one week: in how many sessions, and whether it is new or came back."""

    how: How
    theme: Theme
    sessions: int


@dataclass(slots=True)
class Week:
    """One ISO week, from its `monday`; records newest first, troubles to look at first."""

    monday: date
    sessions: list[SessionView] = field(default_factory=list)
    before: int = 0
    memories: list[Memory] = field(default_factory=list)
    reflections: list[Reflection] = field(default_factory=list)
    troubles: list[Met] = field(default_factory=list)
    opened: list[NextStep] = field(default_factory=list)
    done: list[NextStep] = field(default_factory=list)
    people: list[tuple[str, int]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """`2026-W47`."""
        return week_name(self.monday)

    @property
    def dates(self) -> str:
        """`16\u201322 Nov 2026`, `28 Sep \u2013 4 Oct 2026`."""
        last = self.monday + timedelta(days=6)
        year = f" {self.monday.year}" if self.monday.year != last.year else ""
        first = day(self.monday).removesuffix(f" {self.monday.year}") + year
        within = last.day > self.monday.day
        return f"{self.monday.day}\u2013{day(last)}" if within else f"{first} \u2013 {day(last)}"

    @property
    def projects(self) -> list[tuple[str, int]]:
        """The projects that were worked in, those of most sessions first."""
        return ranked(view.entry.project_name or "no project" for view in self.sessions)


def weeks(catalogue: Catalogue, friction: Friction) -> list[Week]:
    """Return the weeks in which something was recorded, newest first; each record is seen once."""
    found = _Weeks()
    for view in catalogue.sessions:
        found.at(day_of(view.entry.created_at)).sessions.append(view)
    for memory in catalogue.memories:
        found.at(day_of(memory.created_at)).memories.append(memory)
    for reflection in catalogue.reflections:
        found.at(day_of(reflection.created_at)).reflections.append(reflection)
    for step in catalogue.source.steps:
        week = found.at(day_of(step.done_at or step.since))
        (week.done if step.done_at else week.opened).append(step)
    for theme in friction.recurring:
        for monday, met in _met(friction, theme).items():
            found.at(monday).troubles.append(met)
    for week in found.values():
        _finish(week, found, catalogue)
    return [found[monday] for monday in sorted(found, reverse=True)]


class _Weeks(dict[date, Week]):
    """Monday -> week, made when something of it is met."""

    def at(self, day: date) -> Week:
        monday = day - timedelta(days=day.weekday())
        return self.setdefault(monday, Week(monday))


def week_name(day: date) -> str:
    """Return `2026-W47`, the ISO week of a day."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def ranked(names: Iterable[str]) -> list[tuple[str, int]]:
    """Return the names with how often each comes, the most frequent first."""
    return sorted(Counter(names).items(), key=lambda one: (-one[1], one[0]))


def _finish(week: Week, found: dict[date, Week], catalogue: Catalogue) -> None:
    earlier = found.get(week.monday - timedelta(days=7))
    week.before = len(earlier.sessions) if earlier else 0
    week.troubles.sort(key=lambda met: (_HOWS.index(met.how), -met.sessions, met.theme.id))
    authors = catalogue.authors
    ids = (view.entry.id for view in week.sessions)
    week.people = ranked(authors[one] for one in ids if one in authors)


def _met(friction: Friction, theme: Theme) -> dict[date, Met]:
    """Return Monday -> what a theme did in that week."""
    days, approved = friction.days[theme.id], friction.approved(theme)
    back = [day for day in friction.met(theme) if approved and day > approved]
    by_week: defaultdict[date, list[date]] = defaultdict(list)
    for met in days:
        by_week[met - timedelta(days=met.weekday())].append(met)
    found = {}
    for monday, some in by_week.items():
        how: How = "again"
        if any(day in some for day in back):
            how = "came back"
        elif days[0] in some:
            how = "new"
        found[monday] = Met(how, theme, len(some))
    return found
