"""An entry stored over MCP knows which agent, session and folder it is about."""

import json
from functools import partial
from pathlib import Path

import anyio
import pytest

pytest.importorskip("mcp", reason="the [mcp] extra is not installed")

from mcp import Client
from mcp.types import Implementation, ListRootsResult, Root

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.mcp.server import build_server
from tests.capture.support import DATA

SESSION = "93b7a541-2486-431f-a959-b3aaf7c1f96a"


@pytest.fixture
def at(repo, home):
    """Return a function that gives the server's environment, with more variables."""
    (repo / "calmkb.toml").touch()
    return lambda **env: Environment(home=home, cwd=repo, env=env)


@pytest.fixture(params=["legacy", "auto"])
def call(request):
    """Return a function that calls one tool as a client that tells its name and its folder."""

    def run(environment, name, arguments, *, client="claude-code", folder: Path | None = None):
        async def roots(context) -> ListRootsResult:
            return ListRootsResult(roots=[Root(uri=folder.as_uri())])

        async def session():
            more = {"list_roots_callback": roots} if folder else {}
            info = Implementation(name=client, version="1")
            server = build_server(partial(open_kb, environment))
            async with Client(server, mode=request.param, client_info=info, **more) as talking:
                return await talking.call_tool(name, arguments)

        return anyio.run(session)

    return run


@pytest.fixture
def store(call):
    """Return a function that stores an entry and reads it again."""

    def run(environment, client="claude-code", **said):
        given = {"summary": "Counted.", "working_directory": "/srv/shop"} | said
        stored = call(environment, "store_journal_entry", given, client=client)
        assert not stored.is_error, stored.content[0].text
        asked = {"entry_id": stored.structured_content["id"], "include_log": True}
        read = call(environment, "get_journal_entry", asked).structured_content
        return stored.structured_content | read

    return run


def transcript(home: Path, text: str, session=SESSION) -> None:
    folder = home / ".claude/projects/-srv-shop"
    folder.mkdir(parents=True)
    (folder / f"{session}.jsonl").write_text(text)


def test_the_clients_name_and_its_variable_tell_the_session(at, store):
    entry = store(at(CLAUDE_CODE_SESSION_ID=SESSION))
    assert (entry["agent"], entry["session_id"]) == ("claude-code", SESSION)


@pytest.mark.parametrize(
    ("client", "agent"),
    [
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client", "gemini"),
        ("zed", "zed"),
        ("", "mcp"),
    ],
)
def test_an_agent_has_the_name_that_its_transcripts_have(at, store, client, agent):
    entry = store(at(CLAUDE_CODE_SESSION_ID=SESSION), client=client)
    assert (entry["agent"], entry["session_id"]) == (agent, "")


def test_the_log_of_the_session_is_kept_without_passing_through_it(at, store, home):
    transcript(home, '{"role": "user", "content": "count the apples"}\n')
    entry = store(at(CLAUDE_CODE_SESSION_ID=SESSION))
    assert "count the apples" in entry["session_log"]
    assert Path(entry["session_log_path"]).is_file()


def test_no_other_sessions_log_is_had_by_naming_it(at, store, home):
    transcript(home, '{"role": "user", "content": "pears"}\n', session="other")
    assert store(at(CLAUDE_CODE_SESSION_ID=SESSION), session_id="other")["session_log"] is None


def test_an_entry_is_stored_and_told_where_its_log_is_gone(at, store):
    entry = store(at(CLAUDE_CODE_SESSION_ID=SESSION))
    assert entry["session_log_path"] is None
    assert "no raw log was kept" in entry["note"]


def test_the_clients_folder_is_taken_where_none_is_named(at, call, tmp_path):
    done = call(at(), "store_journal_entry", {"summary": "x"}, folder=tmp_path / "till")
    asked = {"entry_id": done.structured_content["id"]}
    assert call(at(), "get_journal_entry", asked).structured_content["project_name"] == "till"


def test_a_folder_with_dots_in_it_is_stored_as_the_folder_that_it_is(at, call, tmp_path):
    said = {"summary": "x", "working_directory": f"{tmp_path}/nowhere/../till/./"}
    done = call(at(), "store_journal_entry", said)
    asked = {"entry_id": done.structured_content["id"]}
    entry = call(at(), "get_journal_entry", asked).structured_content
    assert entry["working_directory"].endswith("/till") and ".." not in entry["working_directory"]


@pytest.mark.parametrize("said", [{}, {"working_directory": ""}, {"working_directory": " "}])
def test_an_entry_without_a_folder_is_refused_in_plain_words(at, call, said):
    done = call(at(), "store_journal_entry", {"summary": "x", **said})
    assert done.is_error
    assert "working_directory: " in done.content[0].text
    assert "give the absolute folder that the session worked in" in done.content[0].text
    assert "pydantic" not in done.content[0].text


def test_a_long_log_comes_in_short_and_whole_on_demand(at, store, call, home):
    sample = max(DATA.glob("*.jsonl"), key=lambda path: path.stat().st_size)
    lines = [json.loads(line) for line in sample.read_text().splitlines()[:40]]
    filler = {"type": "attachment", "sessionId": SESSION, "attachment": {"text": "x" * 300_000}}
    transcript(home, "".join(json.dumps(line) + "\n" for line in [*lines, filler]))
    environment = at(CLAUDE_CODE_SESSION_ID=SESSION)
    entry = store(environment)
    assert len(entry["session_log"]) < 14_000
    assert "person: " in entry["session_log"]
    assert "call: Bash " in entry["session_log"]
    asked = {"entry_id": entry["id"], "full_log": True}
    whole = call(environment, "get_journal_entry", asked).structured_content
    assert len(whole["session_log"]) > 300_000
