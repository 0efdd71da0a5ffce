"""Friction: an index that shows it all, and a page for what came up more than once."""

import re
from dataclasses import replace
from datetime import date, timedelta

from calmkb.model import Entry, Evidence, Library, SessionView, Theme
from calmkb.wings.site.content.addresses import theme_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction, days_of
from calmkb.wings.site.staging.stage import stage
from tests.wings.site import sample
from tests.wings.site.sample import ENTRIES, LIBRARY, PNPM, THEMES, USE_PNPM

PAGES = stage(LIBRARY)


def session(entry: Entry) -> str:
    return next(text for uri, text in PAGES.items() if entry.id[:8] in uri)


def often(number: int, **more: object) -> Library:
    """One theme of so many sessions."""
    entries = [
        replace(
            ENTRIES[0],
            id=sample.made_id(f"often-{n}"),
            summary=f"Did thing {n}.",
            friction_points=(f"{PNPM} Time {n}.",),
        )
        for n in range(number)
    ]
    evidence = tuple(
        Evidence(quote=f"{PNPM} Time {n}.", source=one.id, date="2026-09-24", project="storefront")
        for n, one in enumerate(entries)
    )
    theme = Theme(id="often", statement=PNPM, evidence=evidence, sessions=number, **more)
    return Library(sessions=tuple(SessionView(entry=one) for one in entries), themes=(theme,))


def test_a_recurring_theme_has_a_page_and_a_lone_one_has_not() -> None:
    found = {uri for uri in PAGES if uri.startswith("friction/")}

    assert found == {f"friction/{name}.md" for name in ("pnpm", "database", "utc", "tiles")}


def test_links_to_the_places_of_themes_still_lead_there() -> None:
    for theme in THEMES:
        assert re.search(rf'\{{ #theme-{theme.id} \}}|id="theme-{theme.id}"', PAGES["friction.md"])


def test_a_theme_shows_its_quotes_and_what_answers_it() -> None:
    page = PAGES["friction/pnpm.md"]

    assert "3 sessions · first 24 Sep 2026, last 10 Oct 2026" in page
    assert "[Use pnpm for every script" in page
    assert "Lost ten minutes: I ran npm out of habit" in page
    assert page.index("Added gift cards") < page.index("Moved the checkout tests")


def test_a_theme_that_nothing_answers_says_what_to_do() -> None:
    assert "No memory yet." in PAGES["friction/database.md"]
    assert "calmkb memory add --from database" in PAGES["friction/database.md"]


def test_a_trouble_not_hit_since_says_for_how_many_weeks_and_sessions() -> None:
    base, day = often(3), ENTRIES[0].created_at + timedelta(days=40)
    later = [
        replace(ENTRIES[0], id=sample.made_id(f"later-{n}"), created_at=day) for n in range(12)
    ]
    views = (*base.sessions, *(SessionView(entry=one) for one in later))
    today = date(2026, 11, 20)
    pages = [stage(replace(base, sessions=views[:most], today=today)) for most in (9, 13, 15)]
    page, *others = (one["friction/often.md"] for one in pages)

    assert "24 Sep 2026 · 8 weeks and 6 sessions without it" in page
    assert "24 Sep 2026 · 8 weeks and 10 sessions or more without it" in others[0]
    assert others[0] == others[1], "a session more leaves the page as it is"


def test_a_friction_point_leads_to_its_theme_and_a_lone_one_nowhere() -> None:
    leads = "](../../../friction/pnpm.md) · 3 sessions · answered by a memory"
    assert leads in session(ENTRIES[0])
    assert session(ENTRIES[5]).count("](../../../friction/") == 1
    assert "](../../../friction/database.md) · 3 sessions · no memory yet" in session(ENTRIES[5])
    assert "](../../../friction/" not in session(ENTRIES[3])


def test_a_point_that_holds_what_a_person_said_leads_to_the_theme_of_the_words() -> None:
    said = 'Corrected: "the lock file is rewritten by npm install"'
    entry = replace(ENTRIES[0], friction_points=(said, "npm"))
    quote = "The lock file is rewritten by npm install"
    theme = replace(THEMES[0], evidence=(Evidence(quote=quote, source=entry.id),))
    found = Friction(Catalogue(Library(sessions=(SessionView(entry=entry),), themes=(theme,))))

    assert [point and point[0] for point in found.of_points(entry)] == ["pnpm", None]


def test_the_number_beside_a_friction_point_is_rounded_so_that_old_pages_stay() -> None:
    few, many = (stage(often(n)) for n in (7, 230))

    assert any(" · 7 sessions · no memory yet" in text for text in few.values())
    assert any(" · 200 sessions or more · no memory yet" in text for text in many.values())


def test_a_memory_and_the_themes_it_answers_lead_to_each_other() -> None:
    memory = next(text for uri, text in PAGES.items() if USE_PNPM.id[:8] in uri)

    assert "](../../friction/pnpm.md)" in memory
    assert "](../memories/workflow/" in PAGES["friction/pnpm.md"]


def test_a_theme_of_many_sessions_shows_the_newest_and_counts_the_rest() -> None:
    page = stage(often(230))["friction/often.md"]

    assert page[page.index("## Sessions") :].count("Did thing") == 200
    assert "… and 30 more sessions." in page
    assert "<summary>188 more quotes</summary>" in page
    assert "… and 30 more quotes, in the sessions." in page


def test_every_quote_is_shown_and_the_one_that_heads_the_page_is_marked() -> None:
    page = PAGES["friction/database.md"]
    quotes = page[page.index("## In their words") : page.index("## Sessions")]

    assert quotes.count("title from here") == 1
    assert "The end-to-end job needs the database container" in quotes


def test_troubles_are_listed_by_state_with_what_they_can_be_narrowed_to() -> None:
    authors = {one.id: "ada@example.org" for one in ENTRIES}
    page = stage(replace(LIBRARY, authors=authors))["friction.md"]
    row = next(line for line in page.split("\n") if "npm test hung" in line)

    assert "1 came back, 1 new, 1 open, 1 answered." in page
    first, *between, last = (
        page.index(one) for one in ("came back](", ">new<", ">open<", "[answered](")
    )
    assert first < min(between) and max(between) < last
    assert 'calm-facet--project"> · storefront<' in row
    assert 'calm-facet--person"> · ada<' in row
    assert '24 Sep 2026 to <time datetime="2026-10-10">10 Oct 2026</time>' in row


def test_the_page_of_a_theme_stays_when_another_session_is_wrapped_up() -> None:
    """One a week at most: it ends on the Monday of the newest session's week."""
    later = replace(
        ENTRIES[-1],
        id=sample.made_id("same week"),
        created_at=ENTRIES[-1].created_at.replace(hour=23),
    )
    more = replace(LIBRARY, sessions=(SessionView(entry=later), *LIBRARY.sessions))

    assert stage(more)["friction/pnpm.md"] == PAGES["friction/pnpm.md"]


def test_a_day_that_is_none_is_left_out_of_the_history() -> None:
    said = [
        Evidence(quote="x", source=str(n), date=day) for n, day in enumerate(("", "2026-02-30"))
    ]
    good = Evidence(quote="x", source="a", date="2026-02-28")
    again = replace(good, quote="y")

    assert [f"{day}" for day in days_of(replace(THEMES[0], evidence=(*said, good, again)))] == [
        "2026-02-28"
    ]


def test_a_page_of_everything_stays_light() -> None:
    themes = tuple(
        Theme(
            id=f"{n:010x}",
            statement=f"Thing {n} broke in a way that takes some words to tell, as they do. " * 2,
            evidence=often(3).themes[0].evidence,
            sessions=1 + n % 3,
        )
        for n in range(900)
    )
    page = stage(Library(sessions=often(3).sessions, themes=themes))["friction.md"]

    assert len(page.encode()) < 170_000


def test_a_trouble_came_back_only_where_its_memorys_own_page_says_so() -> None:
    """Home, the list, the trouble, its memory and its week give one verdict."""
    for hit in (True, False):
        known = LIBRARY.backtests[USE_PNPM.id]
        told = known if hit else replace(known, met_since=(), possible_since=known.met_since)
        tests = {**LIBRARY.backtests, USE_PNPM.id: told}
        pages = stage(replace(LIBRARY, backtests=tests, today=date(2026, 10, 17)))
        memory = next(text for uri, text in pages.items() if USE_PNPM.id[:8] in uri)

        assert ("Hit again" in memory) == hit
        assert ("Came back: " in pages["index.md"]) == hit
        assert ("came back" in pages["friction.md"].split("---")[2]) == hit
        assert ("came back" in pages[theme_uri("pnpm")]) == hit
        assert ("came back</span>" in pages["weeks/2026-W41.md"]) == hit


def test_one_day_is_no_range() -> None:
    """Two sessions of one day have met a trouble: both pages name the day once."""
    pages = stage(often(2))

    assert "· 24 Sep 2026 to <time" not in pages["friction.md"]
    assert "· storefront" in pages["friction.md"]
    assert "2 sessions · 24 Sep 2026 ·" in pages[theme_uri("often")]
