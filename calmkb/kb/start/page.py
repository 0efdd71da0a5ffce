"""The first look as one page for a browser: no script, nothing loaded from elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.start.histories import AgentHistory
from calmkb.kb.start.preview import Preview
from calmkb.kb.text import show_invisible
from calmkb.model import Evidence
from calmkb.system.files import write_atomically
from calmkb.templating import render_template

_QUOTES = 3
"""Quotes that are shown of each trouble and each proposal."""


@dataclass(frozen=True, slots=True)
class Card:
    """A trouble or a proposal as it is shown, with its first quotes and how many more it has."""

    text: str
    label: str
    quotes: tuple[Evidence, ...]
    more: int


def start_page(histories: Sequence[AgentHistory], found: Preview) -> str:
    """Return the page of the first look as HTML."""
    return render_template(
        "start/look.html.j2",
        project=show_invisible(found.project),
        left_out=found.left_out,
        histories=histories,
        expiring=sum(one.expiring for one in histories),
        sessions=len(found.sessions),
        first=min((view.entry.created_at for view in found.sessions), default=None),
        last=max((view.entry.created_at for view in found.sessions), default=None),
        proposals=[
            _card(one.text, f"{one.category}, {_sessions(len({e.source for e in one.evidence}))}",
                  one.evidence)
            for one in found.proposals
        ],
        proposed=found.proposed,
        themes=[_card(one.title, _sessions(one.sessions), one.evidence)
                for one in found.themes],
    )  # fmt: skip


def write_page(text: str, path: Path) -> None:
    """Write the page for this user alone; CalmError where the place refuses it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, text.encode(), mode=0o600)
    except OSError as error:
        raise CalmError(
            f"cannot write {path}: {error.strerror}; name another with --page"
        ) from error


def _card(text: str, label: str, evidence: Sequence[Evidence]) -> Card:
    quotes = tuple({one.quote: one for one in reversed(evidence)}.values())
    shown = tuple(
        Evidence(quote=show_invisible(one.quote), source=one.source, date=one.date,
                 project=show_invisible(one.project))
        for one in quotes[:_QUOTES]
    )  # fmt: skip
    return Card(show_invisible(text), label, shown, len(quotes) - len(shown))


def _sessions(count: int) -> str:
    return f"{count} session{'s' * (count != 1)}"
