"""What is new, as feed readers read it."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import feedparser
import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from calmkb.site.content.feeds import MOST_ITEMS, Item, atom_feed, items_of
from tests.site import sample
from tests.site.drawn import HOSTILE
from tests.site.hostile import FENCED
from tests.site.hostile import HOSTILE as PAYLOAD

NOON = datetime(2026, 10, 19, 12, tzinfo=UTC)
ITEM = Item(
    id="5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11",
    title="Moved the checkout tests.",
    url="https://example.org/kb/sessions/1/",
    kind="session",
    published=NOON,
    tags=("storefront",),
    summary="Moved the checkout tests.",
    text="Moved the `checkout` tests.\n\n- one\n- two",
)


def made(*items: Item, **changed: Any) -> str:
    values = {"title": "Team", "site_url": "https://example.org/kb", **changed}
    return atom_feed(items, **values)


def reworded(text: str) -> Item:
    return Item(
        id=ITEM.id,
        title=text,
        url=ITEM.url,
        kind="memory",
        published=NOON,
        tags=(text,),
        summary=text,
        text=text,
    )


def test_a_reader_understands_what_is_new() -> None:
    read = feedparser.parse(made(ITEM, description="What the work taught"))
    (entry,) = read.entries

    assert not read.bozo
    assert read.version == "atom10"
    assert (read.feed.title, read.feed.link) == ("Team", "https://example.org/kb/")
    assert read.feed.subtitle == "What the work taught"
    assert entry.id == "urn:uuid:5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11"
    assert (entry.title, entry.link) == (ITEM.title, ITEM.url)
    assert entry.published_parsed[:5] == (2026, 10, 19, 12, 0)
    assert [tag.term for tag in entry.tags] == ["session", "storefront"]
    assert "<code>checkout</code>" in entry.content[0].value
    assert "<li>one</li>" in entry.content[0].value


def test_the_feed_names_its_own_address() -> None:
    links = feedparser.parse(made(ITEM)).feed.links

    assert [link.href for link in links if link.rel == "self"] == [
        "https://example.org/kb/feed.xml"
    ]


def test_the_newest_fifty_are_listed_newest_first_each_once() -> None:
    items = [
        Item(
            id=f"00000000-0000-4000-8000-{n:012}",
            title=f"{n}",
            url=ITEM.url,
            kind="session",
            published=NOON + timedelta(hours=n),
        )
        for n in range(80)
    ]
    entries = feedparser.parse(made(*items[::-1], *items)).entries

    assert len(entries) == MOST_ITEMS
    assert [entry.title for entry in entries[:2]] == ["79", "78"]


def test_the_time_of_a_feed_is_that_of_its_newest_item_never_today() -> None:
    east = NOON.astimezone(timezone(timedelta(hours=5)))

    assert "<updated>2026-10-19T12:00:00Z</updated>" in made(ITEM, updated=None)
    assert "<updated>2026-10-19T12:00:00Z</updated>" in made(updated=east)
    assert made() == ""


def test_the_order_of_items_changes_no_byte() -> None:
    other = Item(id=sample.made_id("x"), title="x", url="https://x/", kind="memory", published=NOON)

    assert made(ITEM, other) == made(other, ITEM)


@pytest.mark.parametrize("address", ["", "/kb/", "javascript:alert(1)", "file:///kb"])
def test_without_an_address_on_the_web_there_is_no_feed(address: str) -> None:
    assert made(ITEM, site_url=address) == ""


@pytest.mark.parametrize("text", [HOSTILE, PAYLOAD, "<b>bold</b> & <i>so</i>", "a < b && c > d"])
def test_hostile_text_stays_words_in_a_reader(text: str) -> None:
    (entry,) = feedparser.parse(made(reworded(text)), sanitize_html=False).entries
    words = text.replace("\u202e", "\u2039U+202E\u203a")

    for told in (entry.title_detail, entry.summary_detail):
        assert told.type == "text/plain"
        assert told.value == words


def test_no_words_of_a_record_act_in_its_content() -> None:
    tree = ElementTree.fromstring(made(reworded(FENCED)))
    content = tree.findtext(".//{http://www.w3.org/2005/Atom}content") or ""

    assert not re.search(r"<(script|img|svg|iframe|a [^>]*javascript)", content)
    assert "&lt;script&gt;" in content


@given(st.text(st.characters(exclude_categories=()), max_size=60))
@settings(max_examples=100)
def test_any_text_makes_a_well_formed_feed(text: str) -> None:
    tree = ElementTree.fromstring(made(reworded(text), title=text, description=text).encode())
    titles = [one.text for one in tree.iter() if one.tag.endswith("}title")]

    assert len(titles) == 2
    assert all(titles)
    kept = re.sub(r"\u2039U\+[0-9A-F]+\u203a", "", titles[1])
    assert set(kept) <= set(text) | set(" Memory")


def test_records_become_items() -> None:
    entry, memory, reflection = (*(sample.ENTRIES[0], sample.USE_PNPM, sample.FIRST_REFLECTION),)
    items = items_of([entry], [memory], [reflection], lambda record: f"https://x.org/{record.id}")

    assert [item.kind for item in items] == ["session", "memory", "reflection"]
    assert [item.url for item in items] == [
        f"https://x.org/{record.id}" for record in (entry, memory, reflection)
    ]
    assert entry.friction_points[0] in items[0].text
    assert items[0].tags == (entry.project_name,)
    assert items[1].tags[0] == memory.category
    assert items[2].title == "Reflection of 3 Oct 2026"


def test_an_id_written_by_hand_becomes_a_lasting_one() -> None:
    odd = Item(id="my-own", title="x", url="https://x/", kind="reflection", published=NOON)
    ids = {feedparser.parse(made(odd)).entries[0].id for _ in range(2)}

    assert len(ids) == 1
    assert next(iter(ids)).startswith("urn:uuid:")
