"""The thread of a session, turn by turn: only where a person switched it on for this site."""

from collections.abc import Iterator

from calmkb.model import Entry
from calmkb.model.sessions.archive import KeptTurn
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.page import Page, leaves
from calmkb.site.text.titles import session_title

A_PAGE = 24
"""Turns on a page: some screens of a phone, tools folded."""
_SAID, _TOOL = 3_000, 1_500
"""Characters of a turn that are shown."""


def thread_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the pages of each session's thread."""
    for view in catalogue.sessions:
        turns = [
            row for turn in catalogue.source.threads.get(view.entry.id, ()) for row in _row(turn)
        ]
        title = f"Thread: {session_title(view.entry.summary, 90)}"
        for uri, leaf, some in leaves(thread_uri(catalogue, view.entry), turns, A_PAGE):
            values = {"entry": view.entry, "turns": list(some), "leaf": leaf, "number": len(turns)}
            if turns:
                yield Page(uri, "thread", values, title=title)


def thread_uri(catalogue: Catalogue, entry: Entry) -> str:
    """Return the address of a session's thread."""
    return f"{catalogue.addresses[entry.id].removesuffix('.md')}/thread/index.md"


def _row(turn: KeptTurn) -> Iterator[tuple[int, str, str, str, bool]]:
    """Yield line, speaker, first line, text, and whether people and agents said it."""
    is_spoken = turn.role in ("person", "agent") and turn.kind in ("", "rejection")
    text = "\n".join(part for part in (turn.text, turn.change) if part.strip())
    if not text.strip() or (turn.role == "system" and turn.kind in ("echo", "")):
        return
    most = _SAID if is_spoken else _TOOL
    who = turn.role if is_spoken else f"{turn.tool or 'tool'}{' failed' if turn.failed else ''}"
    cut = text if len(text) <= most else f"{text[:most]}…"
    yield turn.line, who, text.strip().split("\n", 1)[0][:90], cut, is_spoken
