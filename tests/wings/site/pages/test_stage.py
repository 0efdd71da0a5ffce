"""A library becomes the same pages whatever order it comes in, at addresses that never change."""

import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import yaml

from calmkb.model import Doubt, Entry, Evidence, Library, Memory, SessionView, Theme
from calmkb.wings.site.content.addresses import item_id, page_stem, project_uri, uris
from calmkb.wings.site.staging.stage import stage
from tests.wings.site import sample
from tests.wings.site.sample import CENTS, ENTRIES, IN_UTC, LIBRARY, PAYMENT, PNPM, USE_PNPM


def address(record: Entry | Memory) -> str:
    return next(uri for uri in stage(LIBRARY) if page_stem(record) in uri)


def page_of(record: Entry | Memory, library: Library = LIBRARY) -> str:
    return next(text for uri, text in stage(library).items() if page_stem(record) in uri)


def test_the_same_library_gives_the_same_bytes_in_any_order() -> None:
    shuffled = replace(
        LIBRARY,
        sessions=LIBRARY.sessions[::-1],
        memories=LIBRARY.memories[::-1],
        reflections=LIBRARY.reflections[::-1],
        themes=LIBRARY.themes[::-1],
    )

    assert list(stage(shuffled).items()) == list(stage(LIBRARY).items())


def test_the_mark_of_a_paragraph_stands_right_below_it_else_people_read_it() -> None:
    doubts = tuple(Doubt(one.id, "nobody said that it helped") for one in LIBRARY.memories)
    for uri, text in stage(replace(LIBRARY, doubts=doubts)).items():
        assert not re.search(r"^ *\n *\{ \.calm", text, re.MULTILINE), uri


def test_addresses_are_made_of_time_and_id() -> None:
    assert re.fullmatch(r"sessions/2026/09/2026-09-24t081205z-[0-9a-f]{8}\.md", address(ENTRIES[0]))
    assert re.fullmatch(r"memories/workflow/2026-10-03t081205z-[0-9a-f]{8}\.md", address(USE_PNPM))


def test_an_address_counts_in_utc() -> None:
    entry = replace(ENTRIES[0], created_at=datetime.fromisoformat("2026-11-01T00:30:00+02:00"))

    assert page_stem(entry).startswith("2026-10-31t223000z-")
    assert uris([entry])[entry.id].startswith("sessions/2026/10/")


def test_records_that_agree_in_time_and_first_digits_have_a_page_each() -> None:
    twin = replace(ENTRIES[0], id=ENTRIES[0].id[:8] + "-0000-4000-8000-000000000000")

    assert len(set(uris([ENTRIES[0], twin]).values())) == 2


def test_different_project_names_never_share_a_page() -> None:
    names = ["app", "App", "a/pp", "a-pp", "a pp", "index", "", "äpp", "../x", "a" * 90, "a" * 91]
    names.append(project_uri("App").removeprefix("projects/").removesuffix(".md"))
    found = {project_uri(name).lower() for name in names}

    assert len(found) == len(names)
    assert all(re.fullmatch(r"projects/[a-z0-9._-]+\.md", uri) for uri in found)
    assert project_uri("app") == "projects/app.md"


def test_a_session_shows_what_it_led_to() -> None:
    text = page_of(ENTRIES[0])

    assert "Use pnpm for every script" in text
    assert "Reflected on 3 Oct 2026" in text
    assert "Split the cart reducer" in text, "the later session of the project"
    assert "waits for reflection" not in text
    assert "waits for reflection" in page_of(ENTRIES[11])


def test_every_place_counts_the_memories_that_quote_a_session() -> None:
    reviewed = replace(sample.view(ENTRIES[0]), memories_created=8)
    card = stage(Library(sessions=(reviewed,), memories=(USE_PNPM,)))["sessions/index.md"]
    part = replace(reviewed, reflected_at=None)
    partly = stage(Library(sessions=(part,), memories=(USE_PNPM,)))

    assert "· 1 memory" in card
    assert "8 memories" not in card
    assert all("partly reviewed" in partly[uri] for uri in partly if "745f8ee2" in uri)
    assert "waits for reflection<" not in partly["sessions/index.md"]


def test_a_memory_names_the_commands_that_act_on_it() -> None:
    for verb in ("edit", "retire"):
        assert f"calmkb memory {verb} {CENTS.id[:8]}</code>" in page_of(CENTS)


def test_a_long_first_sentence_is_whole_at_the_head_of_its_own_page() -> None:
    long = "Split the cart reducer into " + "many small and well named " * 8 + "modules."
    entry = replace(ENTRIES[0], summary=long)

    assert f"\n# {long}\n" in page_of(entry, Library(sessions=(SessionView(entry=entry),)))


def test_sections_that_no_field_claims_are_shown() -> None:
    assert "## Decisions\n\nAmounts are kept in **cents**" in page_of(ENTRIES[9])


def test_a_memory_links_its_evidence_and_says_who_approved_it() -> None:
    text = page_of(USE_PNPM)

    landing = item_id("friction_points", PNPM)
    assert f"](../../{address(ENTRIES[0])}#{landing}) · storefront · 24 Sep 2026" in text
    assert f'id="{landing}"' in page_of(ENTRIES[0])
    assert "Three sessions in two weeks lost time to it." in text
    assert "Approved by</span> <span>reviewer</span>" in text
    assert "example.org" not in text, "a mail address without its host"
    assert "the output of a tool" in page_of(PAYMENT)


def test_evidence_from_an_unknown_source_has_no_link() -> None:
    quote = Evidence(quote="Said elsewhere.", source=sample.made_id("gone"), date="2026-01-02")
    text = page_of(IN_UTC, replace(LIBRARY, memories=(replace(IN_UTC, evidence=(quote,)),)))

    assert "Said elsewhere." in text
    assert "\n    2 Jan 2026\n" in text


def test_a_replaced_memory_points_to_what_replaced_it() -> None:
    newer = replace(CENTS, id=sample.made_id("newer"), text="Use micros.", supersedes=CENTS.id)
    library = replace(LIBRARY, memories=(*LIBRARY.memories, newer))

    assert "**This memory has been replaced** by [Use micros.]" in page_of(CENTS, library)
    assert "[Amounts are whole cents.]" in page_of(newer, library)


def test_friction_lists_the_most_frequent_first_and_what_answers_it() -> None:
    text = stage(LIBRARY)["friction.md"]

    assert text.index("npm test hung") < text.index("Report totals were off")
    assert "[came back](memories/workflow/" in text
    assert 'calm-badge--open">open</span>' in text
    assert "## Mentioned once" in text


def test_home_counts_and_shows_the_newest() -> None:
    home = stage(LIBRARY)["index.md"]

    assert "](sessions/waiting/index.md) and&nbsp;3&nbsp;more&nbsp;sessions</span>" in home
    assert "could not be read](problems.md)" in home
    assert home.index("Wrote a script that clears") < home.index("Turned the gift-card flag on")


def test_an_empty_library_says_how_to_begin() -> None:
    pages = stage(Library())

    assert "calmkb wrapup" in pages["index.md"]
    assert {"sessions/index.md", "friction.md", "memories/index.md", "tags.md"} <= set(pages)
    assert "problems.md" not in pages


def test_a_reflection_shows_what_was_rejected_and_why() -> None:
    text = page_of(sample.FIRST_REFLECTION)

    assert "Always run the tests twice." in text
    assert "It hides flaky tests instead of fixing them." in text


def test_front_matter_holds_what_was_put_in_whatever_it_was() -> None:
    names = ("x: [y", "- a", "'quoted\"", "&anchor *star", "2026-01-01", "yes", "a\u0085b", "%d")
    for name in names:
        entry = replace(ENTRIES[0], summary=name)
        text = page_of(entry, Library(sessions=(SessionView(entry=entry),)))
        front = yaml.safe_load(text.split("---\n")[1])
        assert isinstance(front["title"], str)
        assert front["title"]


def test_the_friction_page_stays_light_however_long_the_tail() -> None:
    themes = tuple(
        Theme(id=f"t{n}", statement=f"Thing {n} broke.", evidence=(), sessions=1 + n % 3)
        for n in range(3000)
    )
    text = stage(Library(themes=themes))["friction.md"]

    assert len(text) < 100_000
    assert "1,900 more troubles of less weight" in text
    assert "880 more; see the sessions themselves." in text


def test_a_thousand_sessions_stage_in_about_a_second() -> None:
    entries = [
        replace(
            ENTRIES[n % 12],
            id=sample.made_id(f"many-{n}"),
            created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=3 * n),
        )
        for n in range(1000)
    ]
    begun = time.process_time()
    pages = stage(Library(sessions=tuple(SessionView(entry=entry) for entry in entries)))

    assert len(pages) > 1000
    assert time.process_time() - begun < 5, "far above what it takes; a guard against squares"


def test_a_month_of_many_sessions_lists_its_days() -> None:
    entries = [
        replace(
            ENTRIES[0],
            id=sample.made_id(f"past-{n}"),
            created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=n),
        )
        for n in range(240)
    ]
    pages = stage(Library(sessions=tuple(SessionView(entry=entry) for entry in entries)))

    assert "[10 Jan 2026](10/index.md)" in pages["sessions/2026/01/index.md"]
    assert pages["sessions/2026/01/10/index.md"].count("\n-   [") == 24


def test_tags_that_differ_have_a_heading_each() -> None:
    tagged = replace(USE_PNPM, tags=("ci", "CI", "c i"))
    text = stage(replace(LIBRARY, memories=(tagged,)))["tags.md"]
    anchors = re.findall(r"\{ #(\S+) \}", text)

    assert len(set(anchors)) == 3
    for found in anchors:
        assert f"tags.md#{found})" in page_of(tagged, replace(LIBRARY, memories=(tagged,)))
