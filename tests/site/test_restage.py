"""Staging anew prints what changed alone, and ends with the very pages of a first staging."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from calmkb.model import Library, SessionView
from calmkb.site.catalogue import Catalogue
from calmkb.site.stage import restage, stage
from tests.site import sample
from tests.site.sample import ENTRIES, LIBRARY, START


def changed_sessions(draw: st.DrawFn) -> tuple[SessionView, ...]:
    kept = []
    for view in LIBRARY.sessions:
        match draw(st.sampled_from(["keep"] * 6 + ["drop", "reword", "reflect", "move", "later"])):
            case "keep":
                kept.append(view)
            case "reword":
                kept.append(replace(view, entry=replace(view.entry, summary="Other words.")))
            case "reflect":
                kept.append(replace(view, reflected_at=START, memories_created=3))
            case "move":
                kept.append(replace(view, entry=replace(view.entry, project_name="atlas")))
            case "later":
                moved = view.entry.created_at + timedelta(days=40)
                kept.append(replace(view, entry=replace(view.entry, created_at=moved)))
    return tuple(kept)


@st.composite
def libraries(draw: st.DrawFn) -> Library:
    memories = []
    for memory in LIBRARY.memories:
        match draw(st.sampled_from(["keep"] * 4 + ["drop", "reword", "supersede", "tag"])):
            case "keep":
                memories.append(memory)
            case "reword":
                memories.append(replace(memory, text="Said in other words."))
            case "supersede":
                other = draw(st.sampled_from(LIBRARY.memories))
                memories.append(replace(memory, supersedes=other.id))
            case "tag":
                memories.append(replace(memory, tags=("new",)))
    themes = []
    for theme in LIBRARY.themes:
        answer = draw(st.sampled_from([theme.memory_id, "", LIBRARY.memories[0].id]))
        themes.append(replace(theme, memory_id=answer))
    return replace(
        LIBRARY,
        sessions=changed_sessions(draw),
        memories=tuple(memories),
        reflections=tuple(draw(st.permutations(LIBRARY.reflections)))[: draw(st.integers(0, 9))],
        themes=tuple(themes)[: draw(st.integers(0, 9))],
        problems=LIBRARY.problems[: draw(st.integers(0, 1))],
    )


@settings(max_examples=40, deadline=None)
@given(before=libraries(), after=libraries())
def test_whatever_changes_the_pages_are_those_of_a_first_staging(
    before: Library, after: Library
) -> None:
    texts = stage(before)
    again = restage(Catalogue(after), restage(Catalogue(before), {}).fingerprints)
    texts |= {uri: page.text for uri, page in again.printed.items()}
    for uri in again.gone:
        del texts[uri]

    assert texts == stage(after)
    assert list(again.fingerprints) == sorted(texts)


def test_nothing_is_printed_when_nothing_changed() -> None:
    first = restage(Catalogue(LIBRARY), {})
    again = restage(Catalogue(LIBRARY), first.fingerprints)

    assert again.printed == {}
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

    printed = [uri for uri in again.printed if uri.startswith("sessions/") and "t" in uri[17:]]
    assert len(printed) == 2
    assert not any(uri.startswith(("memories/w", "reflections/2")) for uri in again.printed)


def test_a_record_that_is_gone_takes_its_page_along() -> None:
    first = restage(Catalogue(LIBRARY), {})
    kept = [memory for memory in LIBRARY.memories if memory is not sample.CENTS]
    fewer = replace(LIBRARY, memories=tuple(kept))
    gone = restage(Catalogue(fewer), first.fingerprints).gone

    assert len(gone) == 2, "its page, and the list of a category that is empty now"
    assert all(uri.startswith("memories/fact/") for uri in gone)
