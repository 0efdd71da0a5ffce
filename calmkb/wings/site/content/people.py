"""Who did what, where records say so: agents that worked, people who reviewed."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from calmkb.model import SessionView
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.grouping import grouped


@dataclass(frozen=True, slots=True)
class Agent:
    """What an agent did; `projects` are those of most sessions first."""

    name: str
    sessions: int
    friction: int
    first: datetime
    last: datetime
    projects: tuple[str, ...]

    @property
    def friction_per_session(self) -> float:
        """Friction points a session."""
        return self.friction / self.sessions


@dataclass(frozen=True, slots=True)
class Person:
    """What a person did: sessions committed, memories approved, proposals reviewed together."""

    name: str
    sessions: int
    memories: int
    reviews: int
    last: datetime


def sessions_of_agents(catalogue: Catalogue) -> dict[str, list[SessionView]]:
    """Return agent -> its sessions, newest first; sessions that name none are left out."""
    named = (view for view in catalogue.sessions if view.entry.agent.strip())
    return grouped(named, lambda view: view.entry.agent)


def agents(sessions: dict[str, list[SessionView]]) -> list[Agent]:
    """Return the agents, those of most sessions first."""
    found = [_agent(name, views) for name, views in sessions.items()]
    return sorted(found, key=lambda agent: (-agent.sessions, agent.name))


def people(catalogue: Catalogue) -> list[Person]:
    """Return the people, those who decided most first, then those of most sessions."""
    worked = Counter(catalogue.source.authors.values())
    approved = Counter(map(catalogue.approver, catalogue.memories))
    reviewed = Counter(reflection.reviewed_by for reflection in catalogue.reflections)
    last: dict[str, datetime] = {}
    acts = [(catalogue.approver(one), one.created_at) for one in catalogue.memories]
    acts += [(one.reviewed_by, one.created_at) for one in catalogue.reflections]
    known = catalogue.entry_by_id
    authors = catalogue.source.authors.items()
    acts += [(who, known[one].entry.created_at) for one, who in authors if one in known]
    for who, when in acts:
        last[who] = max(when, last.get(who, when))
    names = catalogue.names
    found = [
        Person(names[who], worked[who], approved[who], reviewed[who], last[who])
        for who in names
        if who in last
    ]
    return sorted(found, key=lambda one: (-one.memories - one.reviews, -one.sessions, one.name))


def _agent(name: str, views: list[SessionView]) -> Agent:
    projects = Counter(view.entry.project_name for view in views)
    ordered = sorted(projects, key=lambda project: (-projects[project], project))
    return Agent(
        name,
        len(views),
        sum(len(view.entry.friction_points) for view in views),
        views[-1].entry.created_at,
        views[0].entry.created_at,
        tuple(ordered),
    )
