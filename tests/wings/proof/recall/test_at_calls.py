"""A memory is said at the call that it is about: a file that it names, or a command."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import cli, project
from tests.conftest import git
from tests.wings.proof.recall.hooked import ask_hook

__all__ = ["cli", "project"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the command is for sh")

REFUND = "Refunds go through `src/pay.py`, never through the ledger."
NPM = "Never run `npm`: the workspace is pnpm's."
MONEY = "Prices are in cents."
TILL = "Ask `open_till()` before a sale; a plugin registers itself by `Register()`."


@pytest.fixture
def at(project: Path, cli, home: Path):
    """Return a function that asks the installed hook about a call, as the client does."""
    (project / "src").mkdir()
    (project / "src/pay.py").write_text("def refund(): ...\n")
    (project / "till/tax").mkdir(parents=True)
    (project / "till/tax/vat.py").write_text("")
    git(project, "add", "src", "till")
    git(project, "commit", "-qm", "pay")
    for text, *more in ((REFUND,), (NPM,), (TILL,), (MONEY, "--path", "till/**/*.py")):
        made = cli("memory", "add", "--category", "fact", "--scope", "shop", text, *more)
        assert made.code == 0, made.err
    assert cli("recall", "--on").code == 0
    log = project.parent / "log.jsonl"
    log.write_text("")

    def ask(tool: str, *, folder: Path = project, session: str = "s1", **given: str) -> str:
        said = ask_hook(home, "PreToolUse", session_id=session, cwd=str(folder), tool_name=tool,
                        tool_input=given, transcript_path=str(log))  # fmt: skip
        assert said.get("hookEventName", "PreToolUse") == "PreToolUse"
        assert "permissionDecision" not in said
        return str(said.get("additionalContext", ""))

    ask.log = log
    return ask


def calls(number: int) -> str:
    return '{"type": "assistant", "content": [{"type": "tool_use", "name": "Read"}]}\n' * number


CALLS = [
    ("Read", {"file_path": "{top}/src/pay.py"}, REFUND),
    ("Edit", {"file_path": "{top}/src/pay.py", "old_string": "a", "new_string": "b"}, REFUND),
    ("Grep", {"pattern": "refund", "path": "src/pay.py"}, REFUND),
    ("Bash", {"command": "sed -n 1,20p src/pay.py | head"}, REFUND),
    ("Bash", {"command": "cd web && npm install"}, NPM),
    ("Bash", {"command": "pnpm install"}, ""),
    ("Read", {"file_path": "{top}/till/tax/vat.py"}, MONEY),
    ("Read", {"file_path": "{top}/till/tax/vat.md"}, ""),
    ("Read", {"file_path": "{top}/../elsewhere/src/pay.py"}, ""),
    ("Read", {"file_path": "{top}/README.md"}, ""),
    ("Bash", {"command": "git status"}, ""),
    ("Grep", {"pattern": "def open_till"}, TILL),
    ("Edit", {"file_path": "a.py", "old_string": "", "new_string": "Register(shop)"}, TILL),
    ("Edit", {"file_path": "a.py", "old_string": "", "new_string": "# Register all"}, ""),
]


def test_a_call_brings_the_memory_that_names_its_file_or_command(at, project):
    for number, (tool, given, said) in enumerate(CALLS):  # a memory is said once a session
        filled = {key: text.replace("{top}", str(project)) for key, text in given.items()}
        found = at(tool, session=f"of call {number}", **filled)
        assert said in found and bool(said) is bool(found), (tool, given)


def test_a_memory_is_said_again_after_thirty_calls_or_a_compaction_and_not_before(at):
    def read() -> bool:
        return REFUND in at("Read", file_path="src/pay.py")

    assert read()
    at.log.write_text(calls(29))
    assert not read()
    at.log.write_text(calls(31))
    assert read()
    assert not read()
    with at.log.open("a") as log:
        log.write('{"type": "system", "subtype": "compact_boundary"}\n')
    assert read()
    assert REFUND in at("Read", file_path="src/pay.py", session="s2")


def test_what_stands_in_claude_md_is_said_at_a_call_all_the_same(at, cli):
    assert cli("export").code == 0
    assert cli("recall", "--on").code == 0
    assert REFUND in at("Read", file_path="src/pay.py")


def test_an_enforced_rule_speaks_before_what_is_recalled(at, cli, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    rows = json.loads(cli("memory", "list", "--json").out)["memories"]
    (name,) = [row["id"] for row in rows if row["text"] == NPM]
    assert cli("memory", "enforce", name, "--as", "warn").code == 0
    assert "breaks its check: never run npm" in at("Bash", command="npm install")
    assert REFUND in at("Read", file_path="src/pay.py")


def test_off_leaves_no_hook_and_other_folders_hear_nothing(at, cli, home, tmp_path):
    assert at("Read", file_path="src/pay.py", folder=tmp_path) == ""
    assert cli("recall", "--off").code == 0
    assert not (home / ".claude/settings.json").exists()
