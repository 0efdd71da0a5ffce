"""What a list says of a session is what the session's own page says, whatever the journal."""

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from calmkb.model import Library
from calmkb.wings.site.content.addresses import page_uri
from calmkb.wings.site.staging.stage import stage
from tests.wings.site import sample

BASE = sample.LIBRARY
ENTRIES = [sample.view(entry) for entry in sample.ENTRIES[:5]]
IDS = [view.entry.id for view in ENTRIES]


@st.composite
def libraries(draw: st.DrawFn) -> Library:
    """Sessions, memories that rest on some, and a reflection that covered some."""
    covered = draw(st.sets(st.sampled_from(IDS)))
    when = BASE.reflections[0].created_at
    memories = tuple(
        replace(memory, sources=tuple(sorted(draw(st.sets(st.sampled_from(IDS))))), evidence=())
        for memory in BASE.memories[: draw(st.integers(0, len(BASE.memories)))]
    )
    views = (
        replace(view, reflected_at=when if view.entry.id in covered else None) for view in ENTRIES
    )
    reflection = replace(
        BASE.reflections[0], entries=tuple(sorted(covered)), memories=tuple(m.id for m in memories)
    )
    return Library(sessions=tuple(views), memories=memories, reflections=(reflection,))


@settings(max_examples=40, deadline=None)
@given(library=libraries())
def test_counts_and_badges_say_the_same_everywhere(library: Library) -> None:
    pages = stage(library)
    waiting = [view for view in library.sessions if view.reflected_at is None]
    more = f" and&nbsp;{len(waiting) - 1}&nbsp;more&nbsp;session" if len(waiting) > 1 else ""
    row = re.search(r"^-   <span>Reflect on: \[.*\]\(sessions/waiting/index.md\)(.*)$",
                    pages["index.md"], re.MULTILINE)  # fmt: skip
    assert bool(row) == bool(waiting)
    assert row is None or row[1].startswith(more or "</span>")
    for view in library.sessions:
        uri = page_uri(view.entry)
        resting = [memory for memory in library.memories if view.entry.id in memory.sources]
        own = pages[uri]
        card = next(
            one for one in pages["sessions/index.md"].split("\n-   [") if uri[9:] in one[:400]
        )
        told = re.search(r"· (\d+) memor(?:y|ies)", card)
        assert int(told[1] if told else 0) == len(resting)
        assert sum(page_uri(memory).removeprefix("memories/") in own for memory in resting) == len(
            resting
        )
        for words in ("waits for reflection", "partly reviewed"):
            assert (words in own.split("## Summary")[0]) == (words in card)
        assert ("waits for reflection" in card) == (view.reflected_at is None and not resting)
