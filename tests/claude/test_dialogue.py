"""What a person chooses in the client's own dialogue: from the skill's question to the record."""

import json

import pexpect
import pytest

from calmkb.cli.clients.plugin import plugin_dir
from tests.claude.model import scripted
from tests.claude.test_plugin import use
from tests.claude.test_screen import at_terminal
from tests.conftest import git

__all__ = ["at_terminal"]
PENNIES = "The till rounds half pennies up."
NPM = "Use npm for every script of the shop."
# In its auto mode the client would ask a service of its vendor about each command.
WITH = ("--plugin-dir", str(plugin_dir()), "--permission-mode", "default")
LIST = f"""## Proposed Memories from 1 Session

### Codebase Knowledge
1. [x] (fact) {PENNIES} — shop, 2026-03-01

### Workflow Patterns
2. [x] (workflow) {NPM} — shop, 2026-03-01"""


def question(text, *labels, several=False):
    options = [{"label": label, "description": f"About {label}."} for label in labels]
    asked = {"question": text, "header": "Kept", "multiSelect": several, "options": options}
    return {"tool": "AskUserQuestion", "input": {"questions": [asked]}}


def begin(child, skill, *steps):
    """Type the call of a skill that does `steps`."""
    child.expect("shortcuts|effort|auto mode")
    child.send(f"/calmkb:{skill} ")
    child.expect(f"calmkb:{skill}")  # by itself: what comes at once with it would be one paste
    child.expect(pexpect.TIMEOUT, timeout=1)  # until the menu of commands has closed
    child.send(scripted("", *steps))
    child.expect("=|Pasted.{1,12}text")
    child.send("\r")


def press(child, key, seen):
    """Press a key until `seen` is seen: the client takes none in a dialogue's first moments."""
    for _ in range(10):
        child.send(key)
        if child.expect([seen, pexpect.TIMEOUT], timeout=3) == 0:
            return
    pytest.fail(child.before)


def test_what_a_person_chooses_of_a_reflection_is_a_memory_of_theirs(claude, at_terminal, tmp_path):
    (claude.project / "calmkb.toml").write_text("")
    (tmp_path / "log.jsonl").write_text('{"role": "user", "content": "Round the till."}\n')
    claude.calmkb("wrapup", "--summary", "Rounded the till.", "--friction", "Half pennies.",
                  "--log", str(tmp_path / "log.jsonl"))  # fmt: skip
    (row,) = json.loads(claude.calmkb("session", "list", "--json"))["entries"]
    one, two = {"content": PENNIES, "category": "fact"}, {"content": NPM, "category": "workflow"}
    child = at_terminal(*WITH)
    begin(
        child,
        "reflection",
        use("list_journal_entries", unreflected_only=True, limit=10),
        use("get_journal_entry", entry_id=row["id"], include_log=True),
        use("dedupe_proposals", proposals=[one, two]),
        {
            "blocks": [
                {"text": LIST},
                question("Which are kept?", "1 Pennies", "2 npm", several=True),
            ]
        },
        {
            "blocks": [
                {**use("store_memory", **one, sources=[row["id"]]), "if": "1 Pennies"},
                {**use("store_memory", **two, sources=[row["id"]]), "if": "2 npm"},
            ]
        },
        use("mark_entries_reflected", entry_ids=[row["id"]], memories_created=1, delete_logs=True),
        {"text": "## Reflection Complete\n\n- Sessions processed: 1"},
    )
    child.expect("Proposed.{1,12}Memories")
    child.expect("Which.{1,12}are.{1,12}kept")
    press(child, "1", "✔")
    press(child, "\t", "Review.{1,12}your")
    press(child, "\r", "Keep.{1,12}for")
    press(child, "\r", "Reflection.{1,12}Complete")
    (memory,) = json.loads(claude.calmkb("memory", "list", "--json"))["memories"]
    assert memory["text"] == PENNIES
    assert "approved_by: ada@example.org" in git(claude.project, "log", "-p", "-2")
    assert claude.calmkb("reflect") == "No unreflected sessions to process.\n"
    assert list((claude.home / ".calm/sessions").iterdir()) == []
    heard = claude.heard()
    assert '"status":"approved"' in heard.replace(" ", "")
    assert '"marked_count":1,"logs_deleted":1' in heard.replace(" ", "")
    for heading in (
        "## Proposed Memories from N Sessions",
        "## Reflection Complete",
        "- Sessions processed: N",
        "- Memories created: N",
        "- Logs deleted: N",
    ):
        assert heading in heard


UTC, PNPM = "All times of the shop are UTC.", "Install with pnpm, never with npm."


def test_what_a_person_chooses_in_a_review_is_written_where_they_said(claude, at_terminal):
    (claude.project / "CLAUDE.md").write_text("# Shop\n")
    for text in (UTC, PNPM):
        said = {"type": "convention", "content": text, "session_id": "s", "confidence": 2}
        claude.calmkb("signal", "append", json.dumps(said))
    listed = json.loads(claude.calmkb("reflect", "--signals", "--json"))["items"]
    assert [item["text"] for item in listed] == [UTC, PNPM]

    def asked(number):
        text = f"Learning {number} of 2 — convention (low confidence)?"
        return question(text, "project CLAUDE.md", "improvements", "skip")

    def written(item, target, answer):
        rows = json.dumps({"items": [{"id": item["id"], "target": target}]})
        command = f"calmkb reflect --signals --apply - <<< '{rows}'"
        return {**use("Bash", command=command), "if": f"={json.dumps(answer)}"}

    child = at_terminal(*WITH)
    begin(
        child,
        "reflect",
        use("Bash", command="calmkb reflect --signals --json"),
        asked(1),
        written(listed[0], "project", "project CLAUDE.md"),
        asked(2),
        written(listed[1], "skip", "skip"),
        {"text": "Reflected on 2 items: 1 added, 1 skipped."},
    )
    child.expect("Learning.{1,12}1.{1,12}of")
    press(child, "1", "Learning.{1,12}2.{1,12}of")
    assert UTC in (claude.project / "CLAUDE.md").read_text()  # before the next question
    press(child, "3", "Reflected.{1,12}on.{1,12}2")
    assert PNPM not in (claude.project / "CLAUDE.md").read_text()
    assert (claude.project / "CLAUDE.md.bak").read_text() == "# Shop\n"
    kept = json.loads(claude.calmkb("signal", "query"))
    states = {one["content"]: (one["status"], one["promoted_to"]) for one in kept}
    assert states == {
        UTC: ("promoted", str(claude.project / "CLAUDE.md")),
        PNPM: ("dismissed", None),
    }
    assert "Reflected on 1 item: 0 added, 1 skipped." in claude.heard()
