"""`calmkb import`: history that is there already becomes entries, once."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.imports.history_import import import_history
from calmkb.kb.imports.request import ImportRequest
from tests.conftest import git

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")

ALL = "--all-projects"
SAMPLES = Path(__file__).parents[2] / "data" / "transcripts"


def summaries(cli):
    listed = json.loads(cli("session", "list", "--json", "--limit", "99").out)["entries"]
    return [row["summary"] for row in listed]


def test_a_folder_of_sessions_comes_in_one_commit_and_only_once(project, cli):
    said = cli("import", "claude", str(SAMPLES), ALL)
    assert said.code == 0, said.err
    assert said.out.startswith("8 added, 0 known before, 0 left out, 1 with broken lines\n")
    assert "oddities.jsonl: 2 broken lines" in said.err
    unknown = "1 line of kinds unknown to this version, passed over: weather-report (1)"
    assert said.err.count(unknown) == 1
    assert git(project, "log", "--format=%s") == "import(claude): 8 sessions\nfirst\n"
    assert git(project, "status", "--porcelain") == ""
    again = cli("import", "claude", str(SAMPLES), ALL)
    assert "unknown to this version" not in again.err
    assert again.out.startswith("0 added, 8 known before")
    assert git(project, "rev-list", "--count", "HEAD") == "2\n"
    assert cli("check").code == 0


def test_a_session_is_called_by_its_commit_or_its_first_request(project, cli, tmp_path):
    def call(id_, **given):
        return [{"type": "tool_use", "id": id_, "name": "Bash", "input": given}]

    commit = "[main 1a2b3c4] Keep totals in cents\n 1 file changed"
    answer = {"type": "tool_result", "tool_use_id": "a", "content": commit}
    says = [
        ("user", "can you round the totals?"),
        ("assistant", call("a", command="git commit -m x")),
        ("user", [answer]),
        ("assistant", [{"type": "text", "text": "Done."}]),
    ]
    for name, lines in (("one", says), ("two", [says[0], says[3]])):
        rows = [{"type": role, "sessionId": name, "uuid": f"{name}{n}", "cwd": str(project),
                 "timestamp": f"2026-11-01T10:00:0{n}Z", "message": {"role": role, "content": text}}
                for n, (role, text) in enumerate(lines)]  # fmt: skip
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        assert cli("import", "claude", str(tmp_path / f"{name}.jsonl")).code == 0
    listed = cli("session", "list").out
    assert "  Keep totals in cents\n" in listed
    assert "  Round the totals\n" in listed
    assert "Keep totals in cents" in cli("search", "--in", "records", "totals").out


def test_a_session_that_has_grown_is_not_taken_over_again(project, cli, tmp_path):
    source = tmp_path / "sessions"
    source.mkdir()
    text = next(SAMPLES.glob("2026-10-05*")).read_text()
    lines = text.split("\n")
    (source / "s.jsonl").write_text("\n".join(lines[:20]) + "\n")
    cli("import", "claude", str(source), ALL)
    (source / "s.jsonl").write_text(text)
    assert cli("import", "claude", str(source), ALL).out.startswith("0 added, 1 known before")


def test_what_was_wrapped_up_by_hand_is_known(project, cli):
    sample = next(SAMPLES.glob("2026-10-05*"))
    cli("wrapup", "--from-transcript", str(sample), "--log", "none")
    assert cli("import", "claude", str(sample)).out.startswith("0 added, 1 known before")


def test_a_dry_run_and_filters_change_nothing_they_should_not(project, cli):
    said = cli("import", "claude", str(SAMPLES), ALL, "--dry-run", "--since", "2026-10-14")
    assert said.out.startswith("4 would be added")
    assert git(project, "rev-list", "--count", "HEAD") == "1\n"
    said = cli("import", "claude", str(SAMPLES), "--project", "Billing")
    assert said.out.startswith("3 added")
    assert "5 outside what was asked for" in said.out


def test_an_interrupted_import_goes_on_where_it_stopped(project, cli):
    def until_the_fifth(step, done, total):
        if (step, done) == ("Reading transcripts", 4):
            raise KeyboardInterrupt

    kb = open_kb(replace(process_environment(), report=until_the_fifth))
    with pytest.raises(KeyboardInterrupt):
        import_history(kb, ImportRequest("claude", SAMPLES, all_projects=True, batch=3))
    assert len(summaries(cli)) == 3
    assert cli("import", "claude", str(SAMPLES), ALL).out.startswith("5 added, 3 known before")


def test_logs_are_kept_on_this_machine_when_asked_for(project, cli, home):
    cli("import", "claude", str(SAMPLES), ALL, "--keep-logs")
    assert len(list((home / ".calm/sessions").glob("*.jsonl"))) == 8


def test_the_agents_own_places_are_found(project, cli, home):
    rollout = home / ".codex/sessions/2026/10/12/rollout-2026-10-12-abc.jsonl"
    rollout.parent.mkdir(parents=True)
    lines = [
        {"timestamp": "2026-10-12T09:00:00Z", "type": "session_meta",
         "payload": {"id": "c-1", "cwd": "/home/dev/code/inn"}},
        {"timestamp": "2026-10-12T09:01:00Z", "type": "response_item",
         "payload": {"type": "message", "role": "user",
                     "content": [{"type": "input_text", "text": "Add a room calendar"}]}},
    ]  # fmt: skip
    rollout.write_text("\n".join(json.dumps(line) for line in lines))
    assert cli("import", "codex", ALL).out.startswith("1 added")
    assert "room calendar" in summaries(cli)[0]
    missing = cli("import", "gemini")
    assert (missing.code, "does not exist; name the folder" in missing.err) == (1, True)


def test_notes_of_auto_memory_come_as_proposals_not_as_memories(project, cli, home):
    folder = home / ".claude/projects/-home-dev-code-inn/memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(
        "# Memory\n- [Rooms](rooms.md) \u2014 how they are numbered\n"
    )
    (folder / "rooms.md").write_text(
        "---\nname: rooms\ndescription: numbering\nmetadata:\n  type: project\n---\n\n"
        "Rooms are numbered from the cellar upwards, never by wing.\n"
    )
    assert cli("import", "auto-memory", ALL).out.startswith("1 added")
    assert not (project / "journal/memories").exists()
    proposals = json.loads(cli("reflect", "--json").out)["proposals"]
    assert [p["text"] for p in proposals] == [
        "Rooms are numbered from the cellar upwards, never by wing."
    ]
    assert cli("import", "auto-memory", ALL).out.startswith("0 added, 1 known before")


def test_a_note_of_feedback_is_a_preference_with_its_reason_and_no_session(project, cli, home):
    folder = home / ".claude/projects/-home-dev-code-inn/memory"
    folder.mkdir(parents=True)
    rule = "Use pnpm for every script; npm rewrites the lock file and hangs the tests."
    (folder / "pnpm.md").write_text(
        "---\nname: pnpm\ndescription: package manager\nmetadata:\n  type: feedback\n---\n\n"
        f"{rule}\n\n**Why:** The lock file broke twice.\n\n**How to apply:** In every package.\n"
    )
    cli("import", "auto-memory", ALL)
    cli("wrapup", "--summary", "Work.", "--learning", rule, "--project", "inn", "--log", "none")
    (found,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert (found["text"], found["category"], found["confidence"]) == (rule, "preference", "low")
    assert found["reasoning"] == "The lock file broke twice. How to apply: In every package."
    assert cli("check").code == 0


@pytest.mark.parametrize(
    "personal",
    ["## Feelings", "## Feelings:", "## **Feelings**", "## My feelings today", "### Feelings",
     "# FEELINGS", "**Feelings:**", "## User_Context", "## Reflections on Ada"],
)  # fmt: skip
def test_what_is_personal_stays_private_however_its_heading_is_written(
    project, cli, home, personal
):
    entry = home / ".private-journal/2026-10-12/09-00-00-123456.md"
    entry.parent.mkdir(parents=True)
    entry.write_text(
        f"## Project Notes:\n\nCut on Thursdays.\n\n{personal}\n\nSo tired.\n\n"
        "## Technical insights\n\nWAL mode needs a local disk.\n"
    )
    assert cli("import", "private-journal", ALL).out.startswith("1 added")
    (shown,) = (project / "journal/sessions").rglob("*.md")
    assert "Cut on Thursdays." in shown.read_text() and "WAL mode" in shown.read_text()
    assert "tired" not in git(project, "log", "-p")


def test_a_private_journal_gives_only_what_is_not_personal(project, cli, home):
    entry = home / ".private-journal/2026-10-12/09-00-00-123456.md"
    entry.parent.mkdir(parents=True)
    entry.write_text(
        '---\ntitle: "9:00:00 AM - October 12, 2026"\ndate: 2026-10-12T09:00:00.123Z\n'
        "timestamp: 1791795600123\n---\n\n## Feelings\n\nSo tired.\n\n"
        "## Technical Insights\n\nWAL mode needs a local disk.\n"
    )
    assert cli("import", "private-journal", ALL).out.startswith("1 added")
    assert summaries(cli) == ["WAL mode needs a local disk."]
    assert "tired" not in git(project, "log", "-p")


@pytest.mark.parametrize(
    "typed",
    [
        "/exit",
        "exit",
        " /quit ",
        ":q",
        "/model opus",
        "/clear",
        "/effort high",
        ":wq",
        "/exit /exit",
    ],
)
def test_a_session_in_which_only_the_client_was_told_something_is_none(
    project, cli, tmp_path, typed
):
    said = {"type": "user", "sessionId": "s-1", "message": {"role": "user", "content": typed}}
    (tmp_path / "s.jsonl").write_text(json.dumps(said))
    done = cli("import", "claude", str(tmp_path / "s.jsonl"), ALL)
    assert done.out.startswith("0 added, 0 known before, 1 left out")


def test_a_session_of_an_unknown_folder_is_of_no_project(project, cli, home):
    chat = home / ".gemini/tmp/5eb9/chats/session-2026-10-12T09-00-aaaaaaaa.jsonl"
    chat.parent.mkdir(parents=True)
    lines = [{"sessionId": "g-1", "projectHash": "5eb9"},
             {"id": "1", "type": "user", "content": "Write a letter to my landlord."}]  # fmt: skip
    chat.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert cli("import", "gemini").out.startswith("0 added")
    assert cli("import", "gemini", ALL).out.startswith("1 added")
    (row,) = json.loads(cli("session", "list", "--json").out)["entries"]
    assert (row["project_name"], row["working_directory"]) == ("", "")
    assert json.loads(cli("session", "list", "--project", project.name, "--json").out)["count"] == 0


@pytest.mark.parametrize("lead", ["\ufeff", "\n\n", "\ufeff \n"])
def test_front_matter_after_a_mark_or_blank_lines_is_no_text_of_a_note(project, cli, home, lead):
    folder = home / ".claude/projects/-home-dev-code-inn/memory"
    folder.mkdir(parents=True)
    (folder / "pnpm.md").write_text(f"{lead}---\nname: pnpm\n---\nUse pnpm here, never npm.\n")
    cli("import", "auto-memory", ALL)
    (found,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert found["text"] == "Use pnpm here, never npm."


NOTE = "## Project Notes\n\n{}\n\n## User Context\n\n{}\n\n## World Knowledge\n\nWater boils.\n"


@pytest.mark.parametrize(
    "note",
    [
        "# Release\n\nCut on Thursdays.",
        "## Release\n\nCut on Thursdays.",
        "Of the week:\n\n## Release\n\nCut on Thursdays.",
        "```\n## Feelings\n```\n\nCut on Thursdays.",
        "### Release\n\nCut on Thursdays.\n\n#### Or not",
    ],
)
def test_a_heading_in_a_private_note_does_not_end_its_section(project, cli, home, note):
    entry = home / ".private-journal/2026-10-12/09-00-00-123456.md"
    entry.parent.mkdir(parents=True)
    entry.write_text(NOTE.format(note, note.replace("Cut on Thursdays", "She is tired")))
    assert cli("import", "private-journal", ALL).out.startswith("1 added")
    (shown,) = (project / "journal/sessions").rglob("*.md")
    kept = shown.read_text()
    assert ("Cut on Thursdays." in kept, "Water boils." in kept) == (True, True)
    assert "tired" not in git(project, "log", "-p")


def test_secrets_in_history_do_not_get_in(project, cli, tmp_path):
    secret = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"
    lines = [
        {"type": "user", "uuid": "1", "sessionId": "s-1", "cwd": "/home/dev/code/inn",
         "timestamp": "2026-10-12T09:00:00Z", "gitBranch": secret,
         "message": {"role": "user", "content": f"deploy with {secret} please"}},
    ]  # fmt: skip
    (tmp_path / "s.jsonl").write_text(json.dumps(lines[0]) + "\n")
    assert cli("import", "claude", str(tmp_path / "s.jsonl"), "--keep-logs").code == 0
    assert secret not in git(project, "log", "-p", "--all")
    for path in Path(os.environ["HOME"]).rglob("*.jsonl"):
        assert secret not in path.read_text()


@pytest.mark.parametrize(
    "name",
    [
        "claude",
        "codex",
        "gemini",
        "copilot",
        "cursor",
        "opencode",
        "auto-memory",
        "codex-memory",
        "gemini-memory",
        "copilot-memory",
        "private-journal",
    ],
)
def test_an_empty_history_is_no_error(project, cli, tmp_path, name):
    (tmp_path / "none").mkdir()
    assert cli("import", name, str(tmp_path / "none")).out.startswith("0 added, 0 known before")
