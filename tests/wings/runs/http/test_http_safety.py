"""What the server lets nobody do: strangers, other sites, too much, odd bytes; what it hides."""

import asyncio
import http.client
import sqlite3

import httpx
import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from calmkb.errors import CalmError
from calmkb.http_server.guard import Guard, allowed_hosts
from calmkb.wings.runs.http.app import POLICY, guarded, make_app
from calmkb.wings.runs.http.server import bound, make_server
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import TOKEN, serving

SECRET = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"
HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    with serving(make_kb(folder), f"sqlite+aiosqlite:///{folder / 'runs.sqlite'}") as web:
        yield web


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("closed")
    url = f"sqlite+aiosqlite:///{folder / 'runs.sqlite'}"
    with serving(make_kb(folder), url, token=TOKEN) as web:
        yield web


@pytest.fixture
def stranger(closed):
    with httpx.Client(base_url=closed.base) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/sessions", "/health", "/enter", "/openapi.json", "/none"])
def test_a_name_that_is_not_ours_is_misdirected(web, path):
    for name in ("evil.example", "127.0.0.1.evil.example", "evil.example:80", ""):
        assert web.client.get(path, headers={"Host": name}).status_code == 421
    port = web.base.rsplit(":", 1)[1]
    for name in (f"LOCALHOST:{port}", "localhost", f"[::1]:{port}"):
        assert web.client.get(path, headers={"Host": name}).status_code != 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost", "http://[",
                                    "http://127.0.0.1:1", "file://", "x"])  # fmt: skip
def test_a_page_of_another_site_or_port_is_refused(web, origin):
    for method in ("GET", "POST", "OPTIONS"):
        reply = web.client.request(method, "/sessions", headers={"Origin": origin})
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "foreign_origin")
        assert not [name for name in reply.headers if name.startswith("access-control")]
    assert web.client.get("/sessions", headers={"Origin": web.base}).status_code == 200


def test_with_a_token_everything_asks_for_it_but_health_the_door_and_its_looks(closed, stranger):
    for path in ("/sessions", "/agents", "/openapi.json", "/runs/x/subscribe", "/none", "//enter"):
        reply = stranger.get(path)
        assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
        wrong = {"Authorization": "Bearer " + TOKEN[:-1]}
        assert stranger.get(path, headers=wrong).status_code == 401
    for path in ("/health", "/enter", "/static/runs.css", "/static/calmkb.svg"):
        assert stranger.get(path).status_code == 200
    assert stranger.get("/static/../sessions").status_code == 401
    assert closed.client.get("/sessions").status_code == 200
    lower = {"Authorization": f"bearer {TOKEN}"}
    assert stranger.get("/sessions", headers=lower).status_code == 200


def test_a_person_shows_the_token_once_and_the_cookie_is_not_the_token(closed, stranger):
    sent = stranger.get("/runs/x/view?after=1", headers=HTML)
    assert (sent.status_code, sent.headers["location"]) == (
        303, "/enter?next=/runs/x/view%3Fafter%3D1")  # fmt: skip
    door = stranger.get(sent.headers["location"], headers=HTML)
    assert 'name="next" value="/runs/x/view?after=1"' in door.text
    wrong = stranger.post("/enter", data={"token": "no", "next": "/"})
    assert (wrong.status_code, "This token is wrong" in wrong.text) == (401, True)
    assert "set-cookie" not in wrong.headers
    good = stranger.post("/enter", data={"token": TOKEN, "next": "/runs/x/view?after=1"})
    assert (good.status_code, good.headers["location"]) == (303, "/runs/x/view?after=1")
    kept = good.headers["set-cookie"]
    assert "HttpOnly" in kept and "SameSite=strict" in kept and TOKEN not in kept
    assert stranger.get("/", headers=HTML).status_code == 200
    name = kept.split("=")[0]
    with httpx.Client(base_url=closed.base, cookies={name: TOKEN}) as other:
        assert other.get("/sessions").status_code == 401


def test_a_form_that_is_no_form_opens_no_door(stranger):
    for body in (b"", b"\xff\xfe=%zz&&&=", b"a=1&" * 5_000, b"token=" + b"x" * 500_000):
        assert stranger.post("/enter", content=body).status_code == 401


def test_a_token_may_have_any_letters():
    token = "schlüssel-für-läufe"
    guarded_by = Guard(make_app(None, None), hosts=["team.test"], token=token)

    async def asked(given):
        transport = httpx.ASGITransport(guarded_by)
        headers = {"Authorization": f"Bearer {given}".encode()}
        async with httpx.AsyncClient(transport=transport, base_url="http://team.test") as client:
            return (await client.get("/health", headers=headers)).status_code

    assert [asyncio.run(asked(given)) for given in (token, token[:-1], "ü")] == [200, 401, 401]


@pytest.mark.parametrize("place", ["https://evil.example", "//evil.example", "/\\evil.example",
                                   "javascript:alert(1)", "/a\r\nSet-Cookie: x=y", ""])  # fmt: skip
def test_the_door_leads_nowhere_else(stranger, place):
    reply = stranger.post("/enter", data={"token": TOKEN, "next": place})
    assert (reply.status_code, reply.headers["location"]) == (303, "/")


def test_every_reply_says_what_a_browser_may_do(web, closed, stranger):
    pages = [web.client.get(path, headers=HTML) for path in ("/", "/enter", "/none", "/runs/x")]
    others = [web.client.get("/sessions"), web.client.get("/", headers={"Host": "x"}),
              stranger.get("/"), stranger.get("/static/runs.js")]  # fmt: skip
    for reply in [*pages, *others]:
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] in ("no-referrer", "same-origin")
        assert "access-control-allow-origin" not in reply.headers
        assert "server" not in reply.headers
    assert "frame-ancestors 'none'" in POLICY and "unsafe" not in POLICY
    assert all(page.headers["cache-control"] == "no-store" for page in pages)
    assert all(page.headers["content-type"].startswith("text/html") for page in pages)


def test_a_request_that_is_too_long_is_cut_off_whether_it_says_so_or_not(web):
    body = b'{"agentType": "echo", "title": "' + b"x" * 2_000_000 + b'"}'
    kind = {"Content-Type": "application/json"}
    for content in (body, iter([body[:1_500_000], body[1_500_000:]])):
        try:
            reply = web.client.post("/sessions", content=content, headers=kind)
        except httpx.WriteError:  # it hung up before all was said
            continue
        assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")
    assert web.client.get("/health").status_code == 200


def test_only_json_is_read_so_that_no_form_elsewhere_can_send_it(web):
    reply = web.client.post("/sessions", content='{"agentType": "echo"}',
                            headers={"Content-Type": "text/plain"})  # fmt: skip
    assert (reply.status_code, reply.json()["error"]["code"]) == (422, "invalid")


def test_no_file_but_the_few_is_served(web):
    host, port = web.base.removeprefix("http://").split(":")
    for path in ("/static/../../../etc/passwd", "/static/%2e%2e/base.html.j2", "/static/",
                 "/static/base.html.j2", "/static/..%2fbase.html.j2"):  # fmt: skip
        connection = http.client.HTTPConnection(host, int(port))
        connection.request("GET", path)
        reply = connection.getresponse()
        assert (reply.status, b"calmkb runs" in reply.read()) == (404, False)
        connection.close()


def test_secrets_in_a_title_or_a_task_are_not_kept(web):
    made = web.client.post("/sessions", json={"agentType": "echo", "title": f"key {SECRET}"})
    session = made.json()["sessionId"]
    run = web.client.post(made.json()["runUrl"], json={"task": f"use {SECRET}"}).json()
    assert SECRET not in "".join(f"{event.data}" for event in web.follow(run["runId"]))
    assert SECRET not in web.client.get(f"/sessions/{session}").text
    assert SECRET not in web.client.get(f"/runs/{run['runId']}").text


def test_odd_bytes_are_kept_or_refused_on_either_database(journal_url, tmp_path):
    with serving(make_kb(tmp_path), journal_url) as web:
        made = web.client.post("/sessions", json={"agentType": "echo", "title": "a\0b"})
        assert made.status_code == 201
        run = web.client.post(made.json()["runUrl"], json={"task": "x\0\u202ey"}).json()
        assert list(web.follow(run["runId"]))[-1].data["run"]["status"] == "completed"
        half = '{"agentType": "echo", "%s": "\\ud800"}'
        kind = {"Content-Type": "application/json"}
        for name in ("title", "\\udfff"):
            reply = web.client.post("/sessions", content=half % name, headers=kind)
            assert (reply.status_code, reply.json()["error"]["code"]) == (422, "invalid")
        for path in ("/runs/%00", "/runs/x%00/view", "/runs/%ff/subscribe", "/sessions/%00",
                     "/sessions/" + "x" * 9_000, "/runs/%E2%80%AE/view/live"):  # fmt: skip
            assert web.client.get(path).status_code == 404, path
        bad = {"task": "x", "sessionId": "\0"}
        assert web.client.post("/agents/echo/run", json=bad).status_code == 422
        assert web.client.get("/sessions?agentType=%00").status_code == 422


def test_a_database_that_broke_is_said_in_one_line_and_nothing_of_the_inside(tmp_path):
    file = tmp_path / "runs.sqlite"
    with serving(make_kb(tmp_path), f"sqlite+aiosqlite:///{file}") as web:
        run = web.begin()["runId"]
        list(web.follow(run))
        broken = sqlite3.connect(file)
        broken.execute("DROP TABLE run_entries")
        broken.close()
        for headers in ({}, HTML):
            reply = web.client.get(f"/runs/{run}", headers=headers)
            assert reply.status_code == 503
            assert not [word for word in ("Traceback", "SELECT", ".py") if word in reply.text]


def test_an_address_without_a_token_or_a_port_in_use_is_refused():
    with pytest.raises(CalmError, match=r"not loopback: give a --token .* TLS"):
        make_server(None, host="192.0.2.1", port=1, token=None)
    with bound("127.0.0.1", 0) as taken, pytest.raises(CalmError, match="choose another"):
        bound("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(CalmError, match=r"cannot listen on 192\.0\.2\.1"):
        bound("192.0.2.1", 0)
    assert "[fe80::1]:80" in allowed_hosts("fe80::1", 80)


def test_a_server_goes_by_the_names_it_is_given_besides_its_own():
    app = guarded(make_app(None, None), host="192.0.2.1", port=80, token=TOKEN, names=["team.test"])

    async def asked(name):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"https://{name}") as client:
            return (await client.get("/health")).status_code

    names = ("team.test", "192.0.2.1", "192.0.2.1:80", "localhost", "other.test")
    assert [asyncio.run(asked(name)) for name in names] == [200, 200, 200, 421, 421]
