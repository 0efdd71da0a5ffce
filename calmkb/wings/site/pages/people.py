"""The page of people and agents, and one an agent."""

from collections.abc import Iterator
from typing import Any

from calmkb.wings.site.content.addresses import agent_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.content.people import agents, people, sessions_of_agents
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.pages.sessions import months_of

SHOWN = 200
SESSIONS_SHOWN = 20
THEMES_SHOWN = 12
PROJECTS_SHOWN = 12


def people_pages(catalogue: Catalogue, friction: Friction) -> Iterator[Page]:
    """Yield what is known of people and agents; records that name nobody are left out."""
    sessions = sessions_of_agents(catalogue)
    known, persons = agents(sessions), people(catalogue)
    values: dict[str, Any] = {
        "agents": known[:SHOWN],
        "people": persons[:SHOWN],
        "left_out": max(0, len(known) - SHOWN) + max(0, len(persons) - SHOWN),
        "nameless": len(catalogue.sessions) - sum(map(len, sessions.values())),
        "projects_shown": PROJECTS_SHOWN,
    }
    yield Page("people.md", "people", values, title="People and agents")
    themes = friction.by(lambda entry: entry.agent)
    for agent in known:
        views = sessions[agent.name]
        values = {
            "agent": agent,
            "themes": themes.get(agent.name, [])[:THEMES_SHOWN],
            "views": views[:SESSIONS_SHOWN],
            "months": months_of(views),
            "projects_shown": PROJECTS_SHOWN,
        }
        yield Page(agent_uri(agent.name), "agent", values, title=agent.name)
