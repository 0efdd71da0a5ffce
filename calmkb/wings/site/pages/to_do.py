"""What to do: this morning's five things at most, each with its link or command, and next steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from calmkb.model.words import counted
from calmkb.wings.site.content.addresses import day_of, theme_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction, back_days
from calmkb.wings.site.content.theme_states import state_of
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.text.titles import session_title

WAITING, DOUBTS = "sessions/waiting/index.md", "memories/review/index.md"
NEXT = "next/index.md"
NEXT_SHOWN, DONE_SHOWN = 100, 20
_MOST = 5
_LEAST_SESSIONS = 3
"""Sessions that met a trouble without a memory, from which on it is a thing to do."""


@dataclass(frozen=True, slots=True)
class Task:
    """A thing to do: what kind, its name, where it is told, and the command that acts on it."""

    kind: str
    name: str
    uri: str = ""
    command: str = ""
    more: str = ""


def to_do(catalogue: Catalogue, friction: Friction) -> list[Task]:
    """Return what waits for a person, what cannot wait first: one of each kind before a second."""
    kinds = [list(islice(one, _MOST)) for one in _kinds(catalogue, friction)]
    turns = [(turn, kind) for turn in range(_MOST) for kind, some in enumerate(kinds)
             if turn < len(some)]  # fmt: skip
    chosen = sorted((kind, turn) for turn, kind in turns[:_MOST])
    return [kinds[kind][turn] for kind, turn in chosen]


def _kinds(catalogue: Catalogue, friction: Friction) -> Iterator[Iterator[Task]]:
    yield _unreadable(catalogue)
    yield _came_back(catalogue)
    yield _to_decide(catalogue)
    yield (
        Task("Look again", memory.text, DOUBTS, "calmkb memory report --stale")
        for memory, _ in catalogue.doubts
    )
    yield _unanswered(friction)
    yield (
        Task("Next", step.text, catalogue.addresses.get(step.entry, NEXT),
             f"calmkb next done {step.id}")
        for step in catalogue.fresh_steps
    )  # fmt: skip
    yield (
        Task("Improve", item.title, "improvements.md", f"calmkb improvements apply {item.id[:8]}")
        for item in catalogue.improvements["pending"]
    )


def _unreadable(catalogue: Catalogue) -> Iterator[Task]:
    if problems := catalogue.source.problems:
        yield Task("Fix", f"{problems[0].path} could not be read", "problems.md", "calmkb check",
                   _more(len(problems) - 1, "file"))  # fmt: skip


def _came_back(catalogue: Catalogue) -> Iterator[Task]:
    for memory in catalogue.memories:
        days = back_days(catalogue, memory)
        if state_of(days, day_of(memory.created_at), catalogue.today) == "came back":
            uri = catalogue.addresses[memory.id]
            yield Task("Came back", memory.text, uri, f"calmkb show {memory.id[:8]}")


def _to_decide(catalogue: Catalogue) -> Iterator[Task]:
    if proposed := catalogue.source.proposed:
        name = counted(proposed, "memory", "memories") + " proposed by agents"
        yield Task("Decide", name, command="calmkb reflect")
    if waiting := catalogue.waiting:
        more = _more(len(waiting) - 1, "session")
        title = session_title(waiting[0].entry).removesuffix(".")
        yield Task("Reflect on", title, WAITING, "calmkb reflect", more)


def _unanswered(friction: Friction) -> Iterator[Task]:
    for theme in friction.ranked:
        if not friction.approved(theme) and theme.sessions >= _LEAST_SESSIONS:
            command = f'calmkb memory add --from {theme.id[:10]} "…"'
            more = f"in {counted(theme.sessions, 'session')}"
            name = theme.statement.removesuffix(".")
            yield Task("Answer", name, theme_uri(theme.id), command, more)


def _more(number: int, noun: str) -> str:
    return f"and {counted(number, f'more {noun}')}" if number else ""


def next_step_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the page of the open next steps: those of the last seven days, older ones, the done."""
    fresh, shown = catalogue.fresh_steps, {step.id for step in catalogue.fresh_steps}
    older = [step for step in catalogue.open_steps if step.id not in shown]
    done = sorted(
        (step for step in catalogue.source.steps if step.done_at),
        key=lambda step: (step.done_at, step.id),
        reverse=True,
    )[:DONE_SHOWN]
    values: dict[str, Any] = {
        "fresh": fresh[:NEXT_SHOWN],
        "older": older[:NEXT_SHOWN],
        "left_out": max(0, len(fresh) - NEXT_SHOWN) + max(0, len(older) - NEXT_SHOWN),
        "numbers": (len(fresh), len(older)),
        "today": catalogue.today,
        "done": done,
        "names": {step.done_by: catalogue.names.get(step.done_by, "") for step in done},
    }
    yield Page(NEXT, "next", values, title="Next steps")
