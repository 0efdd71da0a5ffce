"""The pages of runs as a server makes them: without a script, with hostile words, and when long."""

import asyncio
import re
from html.parser import HTMLParser

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from tests.wings.runs.hostile import write_hostile
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import serving


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    with serving(make_kb(folder), f"sqlite+aiosqlite:///{folder / 'runs.sqlite'}") as web:
        yield web


def page(web, path):
    reply = web.client.get(path, headers={"Accept": "text/html"})
    assert reply.status_code == 200
    return reply.text


def written(web, number):
    """Return a run of this process with so many entries in it, still running."""

    async def write():
        session = await web.journal.create_session("echo")
        run = await web.journal.start_run(session.id, "a task")
        writes = (web.journal.append(run.id, "text", {"text": "x"}) for _ in range(number))
        await asyncio.gather(*writes)
        return run

    return web.call(write())


def test_sessions_lead_to_runs_and_runs_to_what_was_said(web):
    run = web.begin(task="hello\nworld")
    list(web.follow(run["runId"]))
    first = page(web, "/")
    (link,) = re.findall(rf'href="(/sessions/{run["sessionId"]}/view)">hello world<', first)
    assert f'href="/runs/{run["runId"]}/view"' in page(web, link)
    shown = page(web, f"/runs/{run['runId']}/view")
    assert re.findall(r'<p class="words"[^>]*>(.*?)</p>', shown) == ["hello", "world"]
    assert "2 lines repeated" in shown and "completed" in shown and "data-live" not in shown


def test_the_list_has_pages_and_is_narrowed_by_agent_and_status(web):
    async def many():
        for number in range(30):
            await web.journal.create_session("lister", title=f"Number {number:02}.")

    web.call(many())
    first = page(web, "/?agent=lister&status=active")
    assert re.findall(r"Number (\d\d)\.", first) == [f"{n:02}" for n in range(29, 4, -1)]
    older = re.search(r'rel="next" href="([^"]*)"', first)[1].replace("&amp;", "&")
    assert re.findall(r"Number (\d\d)\.", page(web, older)) == [f"{n:02}" for n in range(4, -1, -1)]
    assert "No sessions" in page(web, "/?agent=lister&status=archived")
    assert web.client.get("/?status=gone").status_code == 422


def test_a_long_run_shows_its_last_entries_and_the_way_to_the_first(web):
    run = written(web, 703)
    shown = page(web, f"/runs/{run.id}/view")
    assert re.findall(r'id="entry-(\d+)"', shown) == [str(n) for n in range(204, 704)]
    assert 'data-live="/runs/' in shown and "after=703" in shown
    first = page(web, f"/runs/{run.id}/view?after=0")
    assert re.findall(r'id="entry-(\d+)"', first)[::499] == ["1", "500"]
    assert "data-live" not in first and "?after=500" in first


def test_without_a_script_a_running_run_can_be_refreshed(web):
    run = written(web, 1)
    shown = page(web, f"/runs/{run.id}/view")
    assert re.search(rf'<noscript>.*<a href="/runs/{run.id}/view">Refresh</a>', shown)
    web.call(web.journal.append(run.id, "thinking", {"elapsed_ms": 4_100}))
    assert "thinking, 4 s" in page(web, f"/runs/{run.id}/view")


def test_hostile_words_are_words_and_what_hides_is_shown(web):
    run = web.call(write_hostile(web.journal))
    pages = [
        "/",
        f"/sessions/{run.session_id}/view",
        f"/runs/{run.id}/view",
    ]
    live = web.client.get(f"/runs/{run.id}/view/live").text
    for shown in [*(page(web, path) for path in pages), live]:
        assert not re.search("[\x1b\u202e\u2066\u200b]", shown)
        found = Tags(shown)
        assert not set(found.names) & {"svg", "iframe", "style", "object", "i", "u", "s"}
        assert (found.names.count("script") <= 1, found.names.count("img") <= 1) == (True, True)
        assert not [name for name, _ in found.attributes if name.startswith("on")]
        places = [value for name, value in found.attributes if name in ("href", "src", "action")]
        assert all(re.match(r"/[^/]|/$|#main$", place) for place in places)
    assert "‹U+001B›" in live and "‹U+202E›" in live


class Tags(HTMLParser):
    """The names of the elements of a page, and their attributes."""

    def __init__(self, text):
        super().__init__()
        self.names, self.attributes = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs
