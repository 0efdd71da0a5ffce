"""Memories: the outcome of them, and lists that stay light however many there are."""

from dataclasses import replace
from datetime import timedelta

from calmkb.model import Doubt, Library, Memory
from calmkb.wings.site.content.addresses import uris
from calmkb.wings.site.staging.stage import stage
from tests.wings.site import sample
from tests.wings.site.sample import CENTS, IN_UTC, LIBRARY, START, USE_PNPM

PAGES = stage(LIBRARY)


def page_of(memory: Memory, library: Library = LIBRARY) -> str:
    return next(text for uri, text in stage(library).items() if memory.id[:8] in uri)


def test_a_page_says_whether_its_trouble_came_back_where_sessions_tell() -> None:
    assert "Not hit since: 0 of 14 sessions since its approval" in page_of(IN_UTC)
    assert "the problem; before it, 2 of 6 did; chance" in page_of(USE_PNPM)
    assert "## Did the trouble come back?" not in page_of(CENTS)


def test_the_days_in_why_it_was_kept_are_written_as_everywhere() -> None:
    why = "Seen in 2 sessions, between 2026-09-30 and 2026-10-12.\n\nSee docs/2026-10-01-plan.md."
    memory = replace(CENTS, why=why)
    others = [one for one in LIBRARY.memories if one is not CENTS]
    text = page_of(memory, replace(LIBRARY, memories=(memory, *others)))

    assert "Seen in 2 sessions, between 30 Sep 2026 and 12 Oct 2026." in text
    assert "docs/2026-10-01-plan.md" in text.replace("\\", "")


def test_its_history_names_what_went_into_it_and_where_it_was_kept() -> None:
    took_in = replace(USE_PNPM, merged=(CENTS.id, sample.made_id("gone")))
    again = replace(sample.SECOND_REFLECTION, merged=(USE_PNPM.id,))
    others = [memory for memory in LIBRARY.memories if memory is not USE_PNPM]
    library = replace(
        LIBRARY,
        memories=(took_in, *others),
        reflections=(again, sample.FIRST_REFLECTION),
    )
    text = page_of(took_in, library)

    assert "Took in</span> <span>[Amounts are whole cents.]" in text
    assert f"memory {sample.made_id('gone')}" in text
    assert "More evidence</span> <span>[9 Oct 2026]" in text
    assert "Approved on</span> <span>[3 Oct 2026]" in text
    assert "2 helpful, 0 harmful" in text
    assert "## Merged" in next(t for u, t in stage(library).items() if again.id[:8] in u)


def test_scopes_begin_with_what_holds_everywhere_the_surest_first() -> None:
    text = PAGES["memories/by-scope/index.md"]

    assert text.index("## Everywhere") < text.index("## ledger") < text.index("## storefront")
    assert text.index("decision · high") < text.index("error · medium") < text.index("fact · low")
    assert "[the project](../../projects/ledger.md)" in text


def test_the_project_of_a_scope_is_linked_only_while_it_has_sessions() -> None:
    gone = [view for view in LIBRARY.sessions if view.entry.project_name != "ledger"]
    text = stage(replace(LIBRARY, sessions=tuple(gone)))["memories/by-scope/index.md"]

    assert "projects/ledger.md" not in text


def test_thousands_of_memories_are_listed_on_light_pages() -> None:
    many = [
        replace(
            CENTS,
            id=sample.made_id(f"many-{n}"),
            created_at=START + timedelta(minutes=n),
            text=f"Amount {n} is in whole cents, and that is said in more words than need be.",
            scope=f"s{n % 80}",
        )
        for n in range(2_000)
    ]
    pages = stage(Library(memories=tuple(many)))
    lists = {uri: text for uri, text in pages.items() if "-" not in uri or "by-scope" in uri}

    assert max(len(text.encode()) for text in lists.values()) < 120_000
    assert "[All 2,000 facts](fact/index.md)" in pages["memories/index.md"]
    assert "Page 40 of 40" in pages["memories/fact/40.md"]
    rows = [
        text.count("Amount ") for uri, text in pages.items() if uri.startswith("memories/fact/")
    ]
    assert sum(n for n in rows if n > 10) == 2_000


def test_two_memories_that_say_the_opposite_name_each_other() -> None:
    words = f"a newer memory says otherwise: {CENTS.text}"
    doubted = replace(LIBRARY, doubts=(Doubt(USE_PNPM.id, words, CENTS.id),))
    pages = stage(doubted)
    older, newer = (pages[uris(LIBRARY.memories)[one.id]] for one in (USE_PNPM, CENTS))
    assert "**Look at this memory again.** A newer memory says otherwise" in older
    assert "**Another memory says otherwise:**" in newer and "pnpm" in newer
    others = [text for uri, text in pages.items() if text not in (older, newer)]
    assert not any("says otherwise:**" in text for text in others)


def test_a_memory_that_replaced_another_is_not_told_to_oppose_it() -> None:
    replaced = replace(CENTS, supersedes=USE_PNPM.id)
    memories = tuple(replaced if one.id == CENTS.id else one for one in LIBRARY.memories)
    doubt = Doubt(USE_PNPM.id, "a newer memory takes its place: x", CENTS.id)
    pages = stage(replace(LIBRARY, memories=memories, doubts=(doubt,)))
    text = pages[uris(memories)[USE_PNPM.id]]
    assert "Look at this memory again" not in text
    assert "This memory has been replaced" in text


def test_a_memory_that_is_enforced_says_how() -> None:
    held = replace(USE_PNPM, enforce="block", checks=("never run npm",))
    memories = tuple(held if one.id == held.id else one for one in LIBRARY.memories)
    text = stage(replace(LIBRARY, memories=memories))[uris(memories)[held.id]]
    assert "agents are stopped: <code>never run npm</code>" in text


def test_the_page_of_what_memories_save_tells_what_checks_stopped() -> None:
    did = "blocked 2 calls, in 1 session; the last on 2026-11-20"
    pages = stage(replace(LIBRARY, stopped={USE_PNPM.id: did}))
    assert f"its checks {did}" in pages["memories/proof/index.md"]


def test_a_remedy_is_titled_by_what_to_do_and_told_whole() -> None:
    error = "psycopg.OperationalError: connection to server at port 5433 failed " * 3
    words = f"If `make e2e` fails with “{error}”, run `docker compose up -d db`."
    remedy = replace(CENTS, text=words)
    memories = tuple(remedy if one.id == CENTS.id else one for one in LIBRARY.memories)
    text = page_of(remedy, replace(LIBRARY, memories=memories))
    heading = next(line for line in text.split("\n") if line.startswith("# "))
    assert (
        heading.startswith("# Run <code>docker compose up -d db</code> if")
        or (heading.startswith("# Run `docker compose up -d db` if"))
        or heading.startswith("# Run docker compose up -d db if make e2e fails: psycopg")
    )
    assert "fails with" in text


def test_a_memory_in_a_list_does_not_repeat_its_words() -> None:
    said = replace(USE_PNPM.evidence[0], quote="Use pnpm  for every script.")
    for words, quoted in (("Use pnpm for every script.", False), ("npm hangs here.", True)):
        memory = replace(USE_PNPM, text=words, evidence=(said,))
        page = stage(Library(memories=(memory,)))["memories/index.md"]
        assert ("> Use pnpm for every script." in page) == quoted


def test_the_sessions_of_a_reflection_are_listed_newest_first_and_unknown_ones_last() -> None:
    names = [entry.id for entry in sample.ENTRIES[:4]]
    mixed = replace(sample.FIRST_REFLECTION, entries=("gone", names[2], names[0], names[3]))
    pages = stage(replace(LIBRARY, reflections=(mixed,)))
    page = next(text for uri, text in pages.items() if uri.startswith("reflections/2"))
    listed = page.partition("## Sessions covered")[2]
    places = [listed.index(name[:8]) for name in (names[3], names[2], names[0])]
    assert places == sorted(places) and listed.index("not in this knowledge base") > places[-1]
