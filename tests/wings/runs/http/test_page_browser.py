"""A person with a browser follows a run: live, through a restart, on a phone; nothing sneaks in."""

import os
import re
import shlex
import sys

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from playwright.sync_api import expect, sync_playwright

from tests.wings.runs.hostile import HOSTILE, write_hostile
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import TOKEN, serving
from tests.wings.site.browsing import CHROMIUM, FLAGS, PHONE

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH"),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def start(tmp_path, tap):
    """Return a function that makes a context which serves the journal of this test."""
    kb = make_kb(tmp_path, tap.settings)
    url = f"sqlite+aiosqlite:///{tmp_path / 'runs.sqlite'}"
    return lambda **more: serving(kb, url, **{"beat": 3_600.0, **more})


class Tab:
    """A tab that keeps what the console complains of, and what it asks others for."""

    def __init__(self, browser, web, **context):
        self.faults, self.base = [], web.base
        self.page = browser.new_context(**context).new_page()
        self.page.on("console", lambda m: self._keep(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self._keep(str(error)))
        self.page.on("dialog", lambda dialog: (self._keep(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda r: None if r.url.startswith(web.base) else self._keep(r.url))

    def _keep(self, fault):
        self.faults.append(fault)

    def open(self, path):
        self.page.goto(self.base + path)
        return self.page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.page.context.close()


def test_a_run_is_followed_as_it_goes_on(browser, start, tap):
    with start(beat=0.05) as web, Tab(browser, web) as tab:
        run = web.begin("tap", task="Count to three.")
        tap.pour("one")
        page = tab.open("/")
        expect(page.locator(".badge")).to_have_text("running")
        page.get_by_role("link", name="Count to three.").click()
        page.get_by_role("link", name="Count to three.").click()
        log = page.get_by_role("log")
        expect(log.locator("p")).to_have_text(["one"])
        expect(page.get_by_role("timer")).to_have_text(re.compile(r"thinking, \d+ s"))
        tap.pour("two", "three <b>3</b>")
        expect(log.locator("p")).to_have_text(["one", "two", "three <b>3</b>"])
        tap.close()
        expect(page.locator("#status")).to_have_text("completed")
        expect(page.get_by_role("timer")).to_be_hidden()
        expect(page.locator("#end")).to_contain_text("completed")
        assert page.url == f"{web.base}/runs/{run['runId']}/view"
        assert tab.faults == []


def test_a_page_goes_on_after_the_server_has_been_restarted(browser, start):
    with start() as web:

        async def begun():
            session = await web.journal.create_session("echo")
            run = await web.journal.start_run(session.id, "Go on.")
            await web.journal.append(run.id, "text", {"text": "before"})
            return run.id

        run, port = web.call(begun()), int(web.base.rsplit(":", 1)[1])
        tab = Tab(browser, web)
        page = tab.open(f"/runs/{run}/view")
        words = page.get_by_role("log").locator("p")
        expect(words).to_have_text(["before"])
    with tab:
        expect(page.get_by_text("Connection lost")).to_be_visible()
        with start(port=port):
            expect(words).to_have_text(["before", "Error: the process that ran it was stopped"])
            expect(page.locator("#status")).to_have_text("failed")
            expect(page.get_by_text("Connection lost")).to_be_hidden()


def test_a_page_comes_back_after_a_refusal_too(browser, start, tap):
    with start() as web, Tab(browser, web) as tab:
        run = web.begin("tap")["runId"]
        tap.pour("one")
        list(web.follow(run, follow=False))
        refusals = iter([502])

        def answer(route):
            code = next(refusals, None)
            route.fulfill(status=code) if code else route.continue_()

        tab.page.route("**/live?*", answer)
        tab.page.clock.install()
        page = tab.open(f"/runs/{run}/view")
        expect(page.get_by_text("Connection lost")).to_be_visible()
        page.clock.fast_forward(5_000)
        tap.pour("two")
        expect(page.get_by_role("log").locator("p")).to_have_text(["one", "two"])
        expect(page.get_by_text("Connection lost")).to_be_hidden()


def test_hostile_words_do_nothing_stored_or_live(browser, start, tap):
    with start() as web, Tab(browser, web) as tab:
        run = web.call(write_hostile(web.journal))
        for path in ("/", f"/sessions/{run.session_id}/view", f"/runs/{run.id}/view"):
            page = tab.open(path)
            page.evaluate("document.querySelectorAll('main *').forEach(one => one.onclick?.())")
            for fold in page.locator("summary").all():
                fold.click()
        live = web.begin("tap", task=HOSTILE[0])["runId"]
        tap.pour("begin")
        page = tab.open(f"/runs/{live}/view")
        tap.pour(*(line for text in HOSTILE for line in text.splitlines()), "done")
        expect(page.get_by_role("log")).to_contain_text("done")
        expect(page.get_by_role("log")).to_contain_text("<img src=x onerror=")
        expect(page.get_by_role("log")).to_contain_text("‹U+202E›")
        assert "owned" not in page.title().replace("document.title='owned'", "")
        assert page.locator("main img, main script, main iframe, main svg").count() == 0
        assert tab.faults == []


def test_tools_are_folded_and_errors_stand_out_by_keyboard_too(browser, start):
    with start() as web, Tab(browser, web, color_scheme="dark", viewport=PHONE) as tab:

        async def tools():
            session = await web.journal.create_session("echo", title="x" * 200)
            run = await web.journal.start_run(session.id, "y" * 500)
            call = {"toolName": "Bash", "args": {"command": "z" * 300}}
            await web.journal.append(run.id, "tool:starting", call)
            answer = {"toolName": "Bash", "result": "w" * 900, "success": False, "summary": "no"}
            await web.journal.append(run.id, "tool:complete", answer)
            await web.journal.append(run.id, "run:error", {"error": "v" * 300})
            return await web.journal.finish_run(run.id, "failed", result={"error": "v" * 300})

        run = web.call(tools())
        for path in ("/", f"/sessions/{run.session_id}/view", f"/runs/{run.id}/view"):
            page = tab.open(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        fold = page.locator("details.tool").first
        expect(fold.locator("pre")).to_be_hidden()
        fold.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(fold.locator("pre")).to_contain_text('"command": "zzz')
        expect(page.locator("summary").filter(has_text="Bash failed: no")).to_be_visible()
        expect(page.get_by_text("Error: vvv")).to_be_visible()
        page.reload()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        assert tab.faults == []


def test_a_person_with_the_token_comes_to_where_they_wanted_without_a_script_too(browser, start):
    with start(token=TOKEN) as web, Tab(browser, web, java_script_enabled=False) as tab:
        run = web.begin(task="hello")
        list(web.follow(run["runId"]))
        page = tab.open(f"/runs/{run['runId']}/view")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("hello")
        expect(page.get_by_text("1 line repeated")).to_be_visible()
        assert page.context.cookies()[0]["httpOnly"] is True
        assert tab.faults == []


def test_a_person_cancels_a_run_from_its_page_and_goes_on_from_it(browser, start, tap):
    with start() as web, Tab(browser, web) as tab:
        run = web.begin("tap", task="Go on for ever.")["runId"]
        tap.pour("one")
        page = tab.open(f"/runs/{run}/view")
        expect(page.get_by_role("log").locator("p")).to_have_text(["one"])
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("#status")).to_have_text("cancelled")
        expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
        assert web.client.get(f"/runs/{run}").json()["run"]["status"] == "cancelled"
        page.get_by_label("Go on from this run").fill("Now to the end.")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Now to the end.")
        again = page.url.split("/runs/")[1].split("/")[0]
        assert web.client.get(f"/runs/{again}").json()["run"]["config"] == {"continueFrom": run}
        assert tab.faults == []


CALLS = """
import json, sys
sys.stdin.readline()
def message(role, parent, *blocks):
    event = {"type": role, "parent_tool_use_id": parent, "message": {"content": list(blocks)}}
    print(json.dumps(event), flush=True)
def call(id, name):
    return {"type": "tool_use", "id": id, "name": name, "input": {}}
def answer(id, words):
    return {"type": "tool_result", "tool_use_id": id, "content": words}
open(GATE).read()
message("assistant", None, call("t", "Task"), call("r", "Read"))
message("assistant", "t", call("g", "Grep"))
message("user", None, answer("r", "read it"))
message("user", "t", answer("g", "found it"))
message("assistant", "t", {"type": "text", "text": "I looked."})
message("user", None, answer("t", "the task is done"))
open(GATE).read()
print(json.dumps({"type": "result", "result": "Done.", "total_cost_usd": 0.5}), flush=True)
"""


def test_parallel_tools_have_their_own_answers_and_a_sub_agent_is_inside_its_call(
    browser, tmp_path
):
    gate, script = tmp_path / "gate", tmp_path / "calls.py"
    os.mkfifo(gate)
    script.write_text(CALLS.replace("GATE", repr(str(gate))))
    program = shlex.join([sys.executable, str(script)])
    command = f'command = "{program}"\nformat = "claude-stream-json"'
    kb = make_kb(tmp_path, f"[agents.calls]\n{command}\n")
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    with serving(kb, url, beat=3_600.0) as web, Tab(browser, web) as tab:
        run = web.begin("calls")["runId"]
        page = tab.open(f"/runs/{run}/view")
        gate.write_text("go")
        top = page.locator("#entries > details.tool > summary")
        expected = [r"Task \{\}", r"the task is done .* s", r"Read \{\}", r"read it .* s"]
        expected = [re.compile(one) for one in expected]
        expect(top).to_have_text(expected)
        inside = page.locator("[data-of=t]")
        expect(inside.locator("summary").first).to_have_text("Grep {}")
        expect(inside.locator("p")).to_have_text("I looked.")
        gate.write_text("end")
        expect(page.locator("#end")).to_contain_text("$0.5000")
        page.reload()
        expect(top).to_have_text(expected)
        expect(inside.locator("summary").nth(1)).to_contain_text("found it")
        expect(inside.locator("p")).to_have_text("I looked.")
        assert tab.faults == []


def test_a_person_finds_an_entry_by_its_words(browser, start):
    with start() as web, Tab(browser, web) as tab:
        run = web.begin(task="The lock file is broken.")["runId"]
        list(web.follow(run))
        page = tab.open("/")
        page.get_by_label("Words in entries").fill("broken LOCK")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("link", name="The lock file is broken.").first.click()
        expect(page.get_by_role("log")).to_contain_text("The lock file is broken.")
        (hit, *_) = web.client.get("/search", params={"q": "broken"}).json()
        assert hit["entry"]["run_id"] == run
        assert tab.faults == []


def _used(web, agent, project, cost, tokens):
    async def write():
        session = await web.journal.create_session(agent, title=f"With {agent}")
        run = await web.journal.start_run(session.id, "A task.", project=project)
        used = {"inputTokens": tokens, "cacheReadTokens": 9, "outputTokens": 1, "costUsd": cost}
        await web.journal.set_usage(run.id, used)
        await web.journal.finish_run(run.id, "completed", result={"message": "Done."})
        return run

    return web.call(write())


def test_a_person_sees_what_a_run_cost(browser, start):
    with start() as web, Tab(browser, web, viewport=PHONE) as tab:
        run = _used(web, "odd", "shop", None, 7_000)
        page = tab.open(f"/runs/{run.id}/view")
        expect(page.locator("#end .usage")).to_have_text("7,000 tokens in, 1 out")
        assert tab.faults == []
