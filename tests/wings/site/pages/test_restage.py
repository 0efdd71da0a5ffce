"""Staging anew prints what changed alone, and ends with the very pages of a first staging."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from calmkb.model import FeedbackCounts, Library, Memory, Reflection, SessionView, Theme
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.staging.stage import restage, stage
from tests.wings.site import sample
from tests.wings.site.sample import ENTRIES, LIBRARY, PNPM, START

PEOPLE = ["", "reviewer@example.org", "reviewer@example.com", "Reviewer"]


def drawn(draw: st.DrawFn, changes: list[str]) -> str:
    """Most records stay as they are."""
    return draw(st.sampled_from(["keep"] * len(changes) + changes))


def changed_sessions(draw: st.DrawFn) -> tuple[SessionView, ...]:
    kept = []
    for view in LIBRARY.sessions:
        entry = view.entry
        later = entry.created_at + timedelta(days=40)
        changes: dict[str, SessionView | None] = {
            "keep": view,
            "drop": None,
            "reflect": replace(view, reflected_at=START, memories_created=3),
            "reword": replace(view, entry=replace(entry, summary="Other words.")),
            "move": replace(view, entry=replace(entry, project_name="atlas")),
            "agent": replace(view, entry=replace(entry, agent="other agent")),
            "friction": replace(view, entry=replace(entry, friction_points=(PNPM,))),
            "later": replace(view, entry=replace(entry, created_at=later)),
        }
        kept.append(changes[drawn(draw, list(changes))])
    return tuple(view for view in kept if view)


def changed_memories(draw: st.DrawFn) -> tuple[Memory, ...]:
    kept = []
    for memory in LIBRARY.memories:
        other = draw(st.sampled_from(LIBRARY.memories)).id
        changes: dict[str, Memory | None] = {
            "keep": memory,
            "drop": None,
            "reword": replace(memory, text="Said in other words."),
            "supersede": replace(memory, supersedes=other),
            "merge": replace(memory, merged=(other,)),
            "tag": replace(memory, tags=("new",)),
            "approve": replace(memory, approved_by=draw(st.sampled_from(PEOPLE))),
            "surer": replace(memory, confidence="high"),
            "scope": replace(memory, scope="atlas"),
        }
        kept.append(changes[drawn(draw, list(changes))])
    return tuple(memory for memory in kept if memory)


def changed_themes(draw: st.DrawFn) -> tuple[Theme, ...]:
    kept = []
    for theme in LIBRARY.themes:
        quotes = draw(st.integers(1, len(theme.evidence)))
        answer = draw(st.sampled_from([theme.memory_id, "", LIBRARY.memories[0].id]))
        changed = replace(theme, memory_id=answer, evidence=theme.evidence[:quotes])
        changes = {
            "keep": changed,
            "reword": replace(changed, statement="Friction, said rebuild."),
            "shrink": replace(changed, sessions=1),
        }
        kept.append(changes[drawn(draw, list(changes))])
    return tuple(kept)[: draw(st.integers(0, 9))]


def changed_reflections(draw: st.DrawFn) -> tuple[Reflection, ...]:
    kept = draw(st.permutations(LIBRARY.reflections))[: draw(st.integers(0, 9))]
    merged = draw(st.sampled_from([(), (LIBRARY.memories[0].id,), ("gone",)]))
    who = draw(st.sampled_from(PEOPLE))
    return tuple(replace(one, merged=merged, reviewed_by=who) for one in kept)


@st.composite
def libraries(draw: st.DrawFn) -> Library:
    others = dict.fromkeys(LIBRARY.feedback, FeedbackCounts(1))
    return replace(
        LIBRARY,
        sessions=changed_sessions(draw),
        memories=changed_memories(draw),
        reflections=changed_reflections(draw),
        themes=changed_themes(draw),
        problems=LIBRARY.problems[: draw(st.integers(0, 1))],
        feedback=draw(st.sampled_from([LIBRARY.feedback, {}, others])),
        backtests=draw(st.sampled_from([LIBRARY.backtests, {}])),
        digests=draw(
            st.sampled_from([LIBRARY.digests, LIBRARY.digests[:1], (), LIBRARY.digests[::-1]])
        ),
    )


@given(before=libraries(), after=libraries())
def test_whatever_changes_the_pages_are_those_of_a_first_staging(
    before: Library, after: Library
) -> None:
    first = restage(Catalogue(before), {})
    again = restage(Catalogue(after), first.fingerprints)
    texts = {uri: page.text for uri, page in first.rendered.items()}
    texts |= {uri: page.text for uri, page in again.rendered.items()}
    for uri in again.gone:
        del texts[uri]

    assert texts == stage(after)
    assert list(again.fingerprints) == sorted(texts)


def test_nothing_is_printed_when_nothing_changed() -> None:
    first = restage(Catalogue(LIBRARY), {})
    again = restage(Catalogue(LIBRARY), first.fingerprints)

    assert again.rendered == {}
    assert again.gone == ()


def test_a_wrap_up_prints_its_page_its_neighbour_and_the_views_alone() -> None:
    first = restage(Catalogue(LIBRARY), {})
    entry = replace(
        ENTRIES[0],
        id=sample.made_id("one more"),
        created_at=ENTRIES[-1].created_at + timedelta(hours=1),
    )
    more = replace(LIBRARY, sessions=(*LIBRARY.sessions, SessionView(entry=entry)))
    again = restage(Catalogue(more), first.fingerprints)

    printed = [uri for uri in again.rendered if uri.startswith("sessions/") and "t" in uri[17:]]
    assert len(printed) == 2
    assert not any(uri.startswith(("memories/w", "reflections/2")) for uri in again.rendered)


def test_a_record_that_is_gone_takes_its_page_along() -> None:
    first = restage(Catalogue(LIBRARY), {})
    kept = [memory for memory in LIBRARY.memories if memory is not sample.CENTS]
    fewer = replace(LIBRARY, memories=tuple(kept))
    gone = restage(Catalogue(fewer), first.fingerprints).gone

    assert len(gone) == 2, "its page, and the list of a category that is empty now"
    assert all(uri.startswith("memories/fact/") for uri in gone)
