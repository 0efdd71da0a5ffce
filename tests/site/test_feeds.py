"""What is new, as feed readers read it."""

import html
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import feedparser
import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from calmkb.site.feeds import MOST_ITEMS, Item, feeds, items_of
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


def made(*items: Item, **changed: Any) -> dict[str, str]:
    values = {"title": "Team", "site_url": "https://example.org/kb", **changed}
    return feeds(items, **values)


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


@pytest.mark.parametrize(("name", "version"), [("feed.xml", "atom10"), ("rss.xml", "rss20")])
def test_a_reader_understands_what_is_new(name: str, version: str) -> None:
    read = feedparser.parse(made(ITEM, description="What the work taught")[name])
    (entry,) = read.entries

    assert not read.bozo
    assert read.version == version
    assert (read.feed.title, read.feed.link) == ("Team", "https://example.org/kb/")
    assert read.feed.subtitle == "What the work taught"
    assert entry.id == "urn:uuid:5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11"
    assert (entry.title, entry.link) == (ITEM.title, ITEM.url)
    assert entry.published_parsed[:5] == (2026, 10, 19, 12, 0)
    assert [tag.term for tag in entry.tags] == ["session", "storefront"]
    assert "<code>checkout</code>" in entry.content[0].value
    assert "<li>one</li>" in entry.content[0].value


def test_the_json_feed_has_the_fields_of_version_1_1() -> None:
    read = json.loads(made(ITEM)["feed.json"])
    (item,) = read["items"]

    assert read["version"] == "https://jsonfeed.org/version/1.1"
    assert read["feed_url"] == "https://example.org/kb/feed.json"
    assert set(read) == {
        *("version", "title", "home_page_url", "feed_url", "description", "items"),
    }
    assert {key: type(value) for key, value in item.items()} == {
        **dict.fromkeys(("id", "url", "title", "summary", "content_html", "date_published"), str),
        "tags": list,
    }
    assert item["date_published"] == "2026-10-19T12:00:00Z"


def test_each_feed_tells_its_own_address() -> None:
    made_feeds = made(ITEM)

    for name in ("feed.xml", "rss.xml"):
        links = feedparser.parse(made_feeds[name]).feed.links
        assert [link.href for link in links if link.rel == "self"] == [
            f"https://example.org/kb/{name}"
        ]


def test_the_newest_fifty_are_told_newest_first_each_once() -> None:
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
    told = json.loads(made(*items[::-1], *items)["feed.json"])["items"]

    assert len(told) == MOST_ITEMS
    assert [item["title"] for item in told[:2]] == ["79", "78"]


def test_the_time_of_a_feed_is_that_of_its_newest_item_never_today() -> None:
    east = NOON.astimezone(timezone(timedelta(hours=5)))

    assert "<updated>2026-10-19T12:00:00Z</updated>" in made(ITEM, updated=None)["feed.xml"]
    assert "<updated>2026-10-19T12:00:00Z</updated>" in made(updated=east)["feed.xml"]
    assert made() == {}


def test_the_order_of_items_changes_no_byte() -> None:
    other = Item(id=sample.made_id("x"), title="x", url="https://x/", kind="memory", published=NOON)

    assert made(ITEM, other) == made(other, ITEM)


@pytest.mark.parametrize("address", ["", "/kb/", "javascript:alert(1)", "file:///kb"])
def test_without_an_address_on_the_web_there_is_no_feed(address: str) -> None:
    assert made(ITEM, site_url=address) == {}


@pytest.mark.parametrize("text", [HOSTILE, PAYLOAD, "<b>bold</b> & <i>so</i>", "a < b && c > d"])
@pytest.mark.parametrize("name", ["feed.xml", "rss.xml"])
def test_hostile_text_stays_words_in_a_reader(name: str, text: str) -> None:
    (entry,) = feedparser.parse(made(reworded(text))[name], sanitize_html=False).entries
    words = text.replace("\u202e", "\u2039U+202E\u203a")

    for told in (entry.title_detail, entry.summary_detail):
        plain = told.type == "text/plain"
        assert (told.value if plain else html.unescape(told.value)) == words
        assert plain or not re.search(r"<[a-z/]", told.value)


def test_no_words_of_a_record_act_in_its_content() -> None:
    found = made(reworded(FENCED))
    tree = ElementTree.fromstring(found["rss.xml"])
    content = tree.findtext(".//{http://purl.org/rss/1.0/modules/content/}encoded") or ""

    assert not re.search(r"<(script|img|svg|iframe|a [^>]*javascript)", content)
    assert "&lt;script&gt;" in content
    assert "<" not in found["feed.json"]


@given(st.text(st.characters(exclude_categories=()), max_size=60))
@settings(max_examples=100)
def test_any_text_makes_well_formed_feeds(text: str) -> None:
    found = made(reworded(text), title=text, description=text)
    for name in ("feed.xml", "rss.xml"):
        tree = ElementTree.fromstring(found[name].encode())
        titles = [one.text for one in tree.iter() if re.fullmatch(r"(\{.*\})?title", one.tag)]
        assert len(titles) == 2
        assert all(titles)
    told = json.loads(found["feed.json"].encode())["items"][0]
    kept = re.sub(r"\u2039U\+[0-9A-F]+\u203a", "", told["title"])
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
    ids = {json.loads(made(odd)["feed.json"])["items"][0]["id"] for _ in range(2)}

    assert len(ids) == 1
    assert next(iter(ids)).startswith("urn:uuid:")
