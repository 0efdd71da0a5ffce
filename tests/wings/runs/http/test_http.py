"""Runs over HTTP as a program asks for them, on each engine."""

import html
import re

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from tests.wings.runs.support import make_kb
from tests.wings.runs.web import kinds, serving

NOWHERE = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def web(tmp_path, tap, journal_url):
    with serving(make_kb(tmp_path, tap.settings), journal_url, beat=3_600.0) as web:
        yield web


def post(web, path, **body):
    return web.client.post(path, json=body)


def camel(name):
    first, second = name.split("_")
    return first + second.title()


def faulty(reply):
    """Return the status and the fields named."""
    return reply.status_code, [fault["field"] for fault in reply.json()["error"]["fields"]]


def test_a_session_and_its_runs_are_made_followed_and_read(web):
    made = post(web, "/sessions", agentType="echo", title="Trying").json()
    assert made == {"sessionId": made["sessionId"], "runUrl": f"/sessions/{made['sessionId']}/runs"}
    begun = post(web, made["runUrl"], task="hello", config={"maxSteps": 3, "model": "small"}).json()
    assert begun == {"runId": begun["runId"], "subscribeUrl": f"/runs/{begun['runId']}/subscribe"}
    events = list(web.follow(begun["runId"]))
    assert kinds(events) == ["run:started", "text", "step:complete", "run:complete"]
    shown = web.client.get(f"/sessions/{made['sessionId']}").json()
    assert set(shown["session"]) == {"id", "agentType", "title", "status", "createdAt", "updatedAt"}
    (run,) = shown["runs"]
    assert (run["runNumber"], run["status"], run["config"]) == (
        1, "completed", {"maxSteps": 3, "model": "small"})  # fmt: skip
    whole = web.client.get(f"/runs/{begun['runId']}").json()
    assert whole["run"] == run
    assert [entry["sequenceNumber"] for entry in whole["entries"]] == [1, 2, 3, 4]
    kept = whole["entries"][1]
    assert (kept["entryType"], kept["stepNumber"], kept["data"]["text"]) == ("text", 1, "hello")
    seen = [e.data["entry"] for e in events if e.data["type"] == "entry"]
    assert [entry["createdAt"] for entry in whole["entries"]] == [e["created_at"] for e in seen]
    older = {"run_id", "sequence_number", "entry_type", "step_number", "created_at"}
    assert {name: kept[name] for name in older} == {name: kept[camel(name)] for name in older}
    assert set(kept) == {"id", "data"} | older | {camel(name) for name in older}


def test_an_agent_is_given_tasks_in_one_conversation(web):
    first = web.begin(task="one")
    list(web.follow(first["runId"]))
    second = web.begin(task="two", sessionId=first["sessionId"])
    assert second["sessionId"] == first["sessionId"]
    assert (
        "1 earlier task" in list(web.follow(second["runId"]))[-1].data["run"]["result"]["message"]
    )
    other = post(web, "/agents/tap/run", task="x", sessionId=first["sessionId"])
    assert faulty(other) == (422, ["sessionId"])
    assert web.client.get("/agents").json() == [
        "coding", "echo", "log-analyzer", "orchestration", "reflection", "tap"]  # fmt: skip


def test_sessions_are_listed_newest_first_by_status_agent_and_page(web):
    ids = [post(web, "/sessions", agentType=agent).json()["sessionId"]
           for agent in ("echo", "echo", "tap")]  # fmt: skip
    post(web, f"/sessions/{ids[1]}/archive")

    def listed(query):
        return [ids.index(one["id"]) for one in web.client.get(f"/sessions?{query}").json()]

    assert listed("") == [2, 1, 0]
    assert listed("agentType=echo") == [1, 0]
    assert (listed("status=archived"), listed("status=active")) == ([1], [2, 0])
    assert listed("limit=1&offset=1") == [1]


def test_a_run_is_cancelled_once_and_a_session_archived_only_when_none_runs(web, tap):
    run = web.begin("tap")
    tap.pour("one")
    busy = post(web, f"/sessions/{run['sessionId']}/archive")
    assert (busy.status_code, busy.json()["error"]["code"]) == (409, "conflict")
    busy = web.client.delete(f"/sessions/{run['sessionId']}")
    assert (busy.status_code, busy.json()["error"]["code"]) == (409, "conflict")
    done = post(web, f"/runs/{run['runId']}/cancel").json()
    assert (done["status"], done["result"]) == ("cancelled", {"error": "cancelled"})
    assert post(web, f"/runs/{run['runId']}/cancel").status_code == 409
    archived = post(web, f"/sessions/{run['sessionId']}/archive", wrapup=True).json()
    assert (archived["session"]["status"], bool(archived["entryId"])) == ("archived", True)
    late = post(web, f"/sessions/{run['sessionId']}/runs", task="x")
    assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")
    late = post(web, "/agents/tap/run", task="x", sessionId=run["sessionId"])
    assert late.status_code == 409


def test_a_session_without_a_title_has_none(web):
    for made in ({}, {"title": None}, {"title": ""}):
        session = post(web, "/sessions", agentType="echo", **made).json()["sessionId"]
        assert web.client.get(f"/sessions/{session}").json()["session"]["title"] is None
    longest = post(web, "/sessions", agentType="echo", title="x" * 255)
    assert longest.status_code == 201
    assert faulty(post(web, "/sessions", agentType="echo", title="x" * 256)) == (422, ["title"])


def test_other_keys_of_a_configuration_are_kept_as_they_are(web):
    session = post(web, "/sessions", agentType="echo").json()["sessionId"]
    config = {"temperature": 0.5, "labels": ["a", {"b": None}], "max_depth": 3, "dryRun": True}
    begun = post(web, f"/sessions/{session}/runs", task="x", config=config).json()
    run = web.client.get(f"/runs/{begun['runId']}").json()["run"]
    assert run["config"] == config
    assert faulty(post(web, f"/sessions/{session}/runs", task="x", config=[1])) == (
        422, ["config"])  # fmt: skip


@pytest.mark.parametrize("path", ["/sessions/{}", "/runs/{}", "/runs/{}/subscribe",
                                  "/runs/{}/view", "/sessions/{}/view"])  # fmt: skip
def test_what_is_not_there_is_404(web, path):
    for odd in (NOWHERE, "x", "%20"):
        reply = web.client.get(path.format(odd))
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "not_found")
    person = web.client.get(path.format(NOWHERE), headers={"Accept": "text/html"})
    assert (person.status_code, "<h1>Error</h1>" in person.text) == (404, True)


def test_what_cannot_be_written_to_is_404(web):
    for path in (f"/runs/{NOWHERE}/cancel", f"/sessions/{NOWHERE}/archive"):
        assert post(web, path).status_code == 404
    assert post(web, f"/sessions/{NOWHERE}/runs", task="x").status_code == 404
    assert post(web, "/agents/nobody/run", task="x").status_code == 404
    assert post(web, "/agents/echo/run", task="x", sessionId=NOWHERE).status_code == 404
    assert web.client.delete(f"/sessions/{NOWHERE}").status_code == 404
    assert web.client.put("/sessions").json()["error"]["code"] == "method_not_allowed"


def test_bad_input_is_422_and_names_the_field(web):
    session = post(web, "/sessions", agentType="echo").json()["sessionId"]
    runs = f"/sessions/{session}/runs"
    assert faulty(post(web, "/sessions")) == (422, ["agentType"])
    assert faulty(post(web, "/sessions", agentType="../x")) == (422, ["agentType"])
    assert faulty(post(web, "/sessions", agentType="echo", extra=1)) == (422, ["extra"])
    assert faulty(post(web, runs, task="")) == (422, ["task"])
    assert faulty(post(web, runs, task=" \n")) == (422, ["task"])
    assert faulty(post(web, runs, task="x", config={"maxSteps": 0})) == (422, ["config.maxSteps"])
    assert faulty(web.client.get("/sessions?limit=0")) == (422, ["limit"])
    assert faulty(web.client.get("/sessions?status=gone")) == (422, ["status"])
    unknown = post(web, "/sessions", agentType="nobody")
    assert faulty(unknown) == (422, ["agentType"])
    assert "choose from: coding, echo" in unknown.text


def test_the_api_describes_itself_and_leaves_the_pages_out(web):
    described = web.client.get("/openapi.json").json()
    assert "/runs/{run_id}/subscribe" in described["paths"]
    assert not [path for path in described["paths"] if "view" in path or path in ("/", "/enter")]
    told = web.client.get("/docs").text
    assert all(path in told for path in described["paths"])


def test_the_page_of_the_api_parts_its_words_and_shows_code_as_code(web):
    shown = html.unescape(web.client.get("/docs").text)
    told = " ".join(re.sub(r"<[^>]*>", "", shown).split())
    assert "status, agentType, limit, offset → 200," in told
    assert "body: agentType, title → 201," in told
    assert re.search(r"[^ ]→|→[^ ]", told) is None
    assert "`" not in told and "<code>wrapup=true</code>" in shown
