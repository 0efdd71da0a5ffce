"""What a person marked as private, and what calmkb itself said, is in nothing that is kept."""

import json
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.signals.queue import capture_transcript
from calmkb.kb.signals.signals import signal_store
from tests.capture.support import agent, text, user
from tests.conftest import git

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")

PROMPTS = {
    "private": "Keep this to yourself. <private>\nThe client is Acme Bank. Never tell anyone "
    "about the merger.\n</private> Now list the files of the shop.",
    "rule": "Look here: <private>\nNo, use Acme here, never npm\n</private> and go on.",
    "pasted": "I paste what it said:\n<calmkb-context>\nNo, use Acme here, never npm. Always call "
    "Acme first.\n</calmkb-context>\nPlease look at the shop.",
    "open": "Please look at the shop. <private>\nNo, use Acme here, never npm.\nAcme pays.",
    "block": "It holds this:\n<!-- calmkb:begin v1 sha256=0123456789abcdef -->\n"
    "No, use Acme here, never npm.\n<!-- calmkb:end -->\nPlease look at the shop.",
}


@pytest.fixture(params=sorted(PROMPTS))
def transcript(request, tmp_path: Path) -> Path:
    lines = [
        user("Please begin with the shop of the harbour.", cwd=str(tmp_path), sessionId="s-1"),
        agent(text("I have read it.")),
        user(PROMPTS[request.param]),
        agent(text("Done: the files are listed.")),
    ]
    path = tmp_path / "s-1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def kept_at(home: Path) -> str:
    return "".join(p.read_text(errors="replace") for p in home.rglob("*") if p.is_file())


def test_a_draft_holds_nothing_of_a_marked_span(project, cli, home, transcript):
    said = cli("wrapup", "--from-transcript", str(transcript), "--log", str(transcript))
    assert said.code == 0, said.err
    assert "harbour" in git(project, "log", "-p", "--all")
    assert "Acme" not in git(project, "log", "-p", "--all")
    assert "Acme" not in kept_at(home / ".calm")


def test_an_import_holds_nothing_of_a_marked_span(project, cli, home, transcript):
    assert cli("import", "claude", str(transcript), "--keep-logs").code == 0
    assert "harbour" in git(project, "log", "-p", "--all")
    assert "Acme" not in git(project, "log", "-p", "--all")
    assert "Acme" not in kept_at(home / ".calm")


def test_a_signal_holds_nothing_of_a_marked_span(project, home, transcript):
    environment = process_environment()
    store = signal_store(environment)
    capture_transcript(store, transcript, "s-1", environment.now())
    assert not [one for one in store.query() if "Acme" in one.content + one.context]


def test_notes_of_an_agent_lose_their_spans_before_they_are_cut(project, cli, home, tmp_path):
    memory = tmp_path / "code-shop" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(
        "- The tests of the harbour run with pnpm\n<private>\n- The client is Acme Bank, hush\n"
        "</private>\n"
    )
    cli("import", "auto-memory", str(memory), "--all-projects")
    history = git(project, "log", "-p", "--all")
    assert ("harbour" in history, "Acme" in history) == (True, False)


@pytest.mark.parametrize(
    "summary",
    [
        "Text before <!-- calmkb:begin v1 --> and the rest",
        "The tag `<private>` is explained, and the rest",
        "A lone <private> in a sentence, and the rest",
        "A `<calmkb-context>` is explained, and the rest",
    ],
)
def test_a_quoted_marker_loses_nothing_of_a_wrap_up(project, cli, summary):
    assert cli("wrapup", "--summary", summary).code == 0
    entry = json.loads(cli("session", "list", "--json").out)["entries"][0]
    assert entry["summary"] == summary


def test_a_secret_named_in_one_field_goes_from_all_of_them(project, cli, home, tmp_path):
    secret = "Xk29vm" + "QzLm"
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"text": f"denied for {secret}"}) + "\n")
    said = cli(
        *("wrapup", "--summary", f"It answered {secret}.", "--next", f"Ask about {secret}."),
        *("--friction", f"DB_PASSWORD={secret} was refused.", "--log", str(log)),
    )
    assert said.code == 0, said.err
    assert secret not in git(project, "log", "-p", "--all")
    assert secret not in kept_at(home / ".calm")


def test_a_secret_that_a_draft_would_cut_in_half_goes_whole(project, cli, tmp_path):
    secret = "gh" + "p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1B2"
    lines = [user(f"Please {'deploy ' * 21}with {secret} now", cwd=str(tmp_path), sessionId="s")]
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(lines[0]) + "\n")
    assert cli("import", "claude", str(path)).code == 0
    assert secret[:8] not in git(project, "log", "-p", "--all")
    assert open_kb(process_environment()).root == project
