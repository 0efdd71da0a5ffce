"""`calmkb wrapup`, from the command line to the commit."""

import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import git

SAMPLES = Path(__file__).parents[2] / "data" / "transcripts"
SECRET = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"


def entry_file(folder: Path) -> str:
    path = git(folder, "show", "--format=", "--name-only", "HEAD").strip()
    return (folder / path).read_text()


def test_wrapup_commits_only_the_entry_and_leaves_work_in_progress(project, cli):
    (project / "staged.txt").write_text("staged\n")
    git(project, "add", "staged.txt")
    (project / "calmkb.toml").write_text("# edited\n")
    before = git(project, "status", "--porcelain"), git(project, "diff", "--cached")
    said = cli("wrapup", "--summary", "Moved the tests.", "--friction", "npm hung", "--next", "go")
    assert said.code == 0
    assert (git(project, "status", "--porcelain"), git(project, "diff", "--cached")) == before
    assert re.fullmatch(
        r"journal/sessions/\d{4}/\d\d/\d\d/\S+-moved-the-tests-[0-9a-f]{8}\.md\n",
        git(project, "show", "--format=", "--name-only", "HEAD"),
    )
    assert git(project, "log", "-1", "--format=%s") == "wrapup(shop): Moved the tests.\n"


@pytest.mark.parametrize("words", ["close the databases that they open", "x" * 80])
def test_a_long_summary_is_cut_between_words_to_a_subject_of_72_bytes(project, cli, words):
    cli("wrapup", "--summary", f"The tests of the cache file {words}, at last.")
    subject = git(project, "log", "-1", "--format=%s").strip()
    assert len(subject.encode()) <= 72
    assert subject.endswith("that…" if " " in words else "xxx…")


def test_the_report_reads_as_the_contract_says(project, cli):
    said = cli("wrapup", "--summary", "Moved it.", "--friction", "npm hung", "--next", "Push.")
    identity = git(project, "log", "-1", "--format=%(trailers:key=Calm-Entry,valueonly)").strip()
    assert said.out == (
        "## Session Wrapped Up\n\n**Summary**: Moved it.\n\n"
        "**Friction Points**:\n- npm hung\n\n**Next Steps**:\n- Push.\n\n"
        f"Journal entry saved: {identity}\n"
    )


def test_the_very_first_wrapup_makes_a_knowledge_base_and_says_so(home, tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = cli("wrapup", "--summary", "Began.")
    assert said.code == 0
    assert "Made a knowledge base in ~/.calm/kb" in said.out
    assert git(home / ".calm/kb", "status", "--porcelain") == ""
    assert git(home / ".calm/kb", "log", "--format=%s").split("\n")[1].startswith("calmkb: begin")


def test_a_first_wrapup_that_is_refused_makes_no_knowledge_base(home, tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli("wrapup", "--summary", "x", "--title", "y" * 10_001).code == 1
    assert cli("wrapup", "--summary", "x", *["--next", "y"] * 51).code == 1
    assert not (home / ".calm/kb").exists()


def test_json_in_and_json_out(project, cli, monkeypatch):
    given = {"summary": "Done.", "friction_points": ["a", "b"], "working_directory": "/srv/x/bank/"}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(given)))
    said = cli("wrapup", "--json", "-")
    assert json.loads(said.out)["session_log_path"] is None
    shown = json.loads(cli("session", "show", json.loads(said.out)["id"], "--json").out)
    assert (shown["project_name"], shown["friction_points"]) == ("bank", ["a", "b"])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("nonsense", "standard input is not JSON"),
        ("[]", "must hold a JSON object"),
        ('{"summary": 3}', "summary must be text, not 3"),
        ('{"summary": "x", "friction_points": "x"}', "friction_points must be a list of text"),
        ('{"sumary": "x"}', "'sumary' is not a field of an entry; choose from: summary"),
        ('{"summary": " "}', "Summary is empty"),
        ('{"summary": "\\ud800"}', "broken character"),
        ('{"friction_points": ["x"]}', "needs a summary"),
    ],
)
def test_bad_json_is_explained_and_changes_nothing(project, cli, monkeypatch, given, told):
    monkeypatch.setattr(sys, "stdin", io.StringIO(given))
    said = cli("wrapup", "--json", "-")
    assert (said.code, told in said.err) == (1, True), said.err
    assert git(project, "rev-list", "--count", "HEAD") == "1\n"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--summary", "x" * 10_001], "Summary has 10,001 characters; at most 10,000"),
        (["--summary", "x", *["--friction", "y"] * 51], "Friction points: 51 given; at most 50"),
        (["--summary", "x", *["--next", "y"] * 51], "Next steps: 51 given"),
        (
            ["--summary", " ", *["--friction", "y"] * 51],
            "Summary is empty; give it at least one word; Friction points: 51 given",
        ),
        (["--summary", "x", "--next", " "], "Next steps, item 1, is empty"),
        (["--summary", "x", "--log", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["--from-transcript", "nowhere.jsonl"], "nowhere.jsonl"),
        (["continue", "--summary", "x"], "needs a next step (next_steps, --next)"),
        (["--wrong"], "No such option"),
    ],
)
def test_a_broken_limit_is_named_and_nothing_changes(project, cli, args, told):
    said = cli("wrapup", *args)
    assert (said.code, told in said.err) == (1, True), said.err
    assert git(project, "rev-list", "--count", "HEAD") == "1\n"
    assert not list(Path.home().rglob("*.jsonl"))


def test_a_transcript_becomes_an_entry_dated_as_the_session_was(project, cli):
    said = cli("wrapup", "--from-transcript", str(next(SAMPLES.glob("2026-10-05*"))))
    assert said.code == 0, said.err
    text = entry_file(project)
    assert "created_at: '2026-10-05T" in text
    assert "project_name: storefront\nworking_directory: ~/code/storefront\n" in text
    assert "agent: claude-code" in text
    assert "pnpm" in text
    log = next((Path.home() / ".calm/sessions").glob("20261005T*.jsonl"))
    assert log.stat().st_mode & 0o777 == 0o600


def test_secrets_and_home_paths_reach_neither_git_nor_the_log(project, cli, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"role": "user", "content": f"token {SECRET}"}) + "\n")
    said = cli(
        "wrapup", "--summary", f"Set {SECRET} in {Path.home()}/x.", "--friction", f"key={SECRET}",
        "--project", SECRET, "--log", str(log),
    )  # fmt: skip
    assert said.code == 0, said.err
    history = git(project, "log", "-p", "--all")
    saved = next((Path.home() / ".calm/sessions").glob("*.jsonl")).read_text()
    for text in (history, saved, said.out):
        assert SECRET not in text
    assert str(Path.home()) not in history
    assert "~/x" in history


def test_a_detached_head_is_a_clear_error_and_keeps_no_log(project, cli, tmp_path):
    git(project, "checkout", "-q", "--detach")
    (tmp_path / "log.jsonl").write_text("{}\n")
    said = cli("wrapup", "--summary", "x", "--log", str(tmp_path / "log.jsonl"))
    assert (said.code, "detached" in said.err) == (1, True)
    assert not list((Path.home() / ".calm").rglob("*.jsonl"))


def test_a_knowledge_base_asked_for_by_name_is_not_made_in_silence(project, cli):
    said = cli("--kb", "elsewhere", "wrapup", "--summary", "x")
    assert (said.code, "run: calmkb init" in said.err) == (1, True)


def test_the_newest_session_of_this_folder_is_its_log(project, cli):
    from calmkb.capture.history.mapped_name import mapped_name

    folder = Path.home() / ".claude/projects" / mapped_name(str(project.resolve()))
    folder.mkdir(parents=True)
    line = {"type": "user", "message": {"role": "user", "content": "hello"}}
    (folder / "s.jsonl").write_text(json.dumps(line) + "\n")
    said = cli("wrapup", "--summary", "x", "--log", "latest", "--json")
    assert "hello" in Path(json.loads(said.out)["session_log_path"]).read_text()


def test_an_editor_opens_on_a_draft_at_a_terminal(project, tmp_path):
    pexpect = pytest.importorskip("pexpect", reason="needs a POSIX terminal")
    editor = tmp_path / "editor.sh"
    editor.write_text("#!/bin/sh\nprintf '\\n## Summary\\n\\nBy hand.\\n\\n## Friction points\\n"
                      "\\n- slow\\n' > \"$1\"\n")  # fmt: skip
    editor.chmod(0o755)
    env = {**dict(__import__("os").environ), "EDITOR": shlex.quote(str(editor))}
    child = pexpect.spawn(sys.executable, ["-m", "calmkb", "wrapup"], cwd=project, env=env)
    child.expect("Journal entry saved", timeout=60)
    child.expect(pexpect.EOF)
    assert "By hand." in entry_file(project)
    assert "- slow" in entry_file(project)


def test_a_program_without_a_terminal_is_told_what_to_give(project):
    done = subprocess.run(
        [sys.executable, "-m", "calmkb", "wrapup"], cwd=project, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert (done.returncode, "give --summary TEXT" in done.stderr) == (1, True)


def test_learnings_are_a_section_that_reflect_reads(project, cli):
    said = cli("wrapup", "--summary", "Done.", "--learning", "Use pnpm for every script here.")
    assert said.code == 0
    assert "## Learnings\n\n- Use pnpm for every script here.\n" in entry_file(project)
    assert "**Learnings**:\n- Use pnpm for every script here.\n" in said.out
    assert "Use pnpm for every script here." in cli("reflect", "--json").out


LEARNT = {
    "text": "Start the database before the end-to-end tests.",
    "why": "They time out\notherwise.",
}


def test_a_learning_keeps_its_reason_which_a_proposal_gives(project, cli, tmp_path):
    given = tmp_path / "entry.json"
    given.write_text(
        json.dumps({"summary": "Done.", "learnings": [LEARNT, "Use pnpm here always."]})
    )
    said = cli("wrapup", "--json", str(given))
    assert said.code == 0, said.err
    kept = "- Start the database before the end-to-end tests.\n  Why: They time out otherwise.\n"
    assert kept in entry_file(project)
    id_ = json.loads(said.out)["id"]
    assert kept in cli("session", "show", id_).out
    shown = json.loads(cli("session", "show", id_, "--json").out)["learnings"]
    assert (
        shown[0] == "Start the database before the end-to-end tests.\nWhy: They time out otherwise."
    )
    proposals = json.loads(cli("reflect", "--json").out)["proposals"]
    found = {one["text"]: one["reasoning"] for one in proposals}
    assert found[LEARNT["text"]] == "They time out otherwise."
    assert found["Use pnpm here always."] is None


def test_a_reason_can_be_written_below_a_learning_in_markdown(project, cli, tmp_path):
    given = tmp_path / "entry.md"
    given.write_text(
        "## Summary\n\nDone.\n\n## Learnings\n\n"
        "- Start the database first.\n  Why: Tests time out.\n"
    )
    assert cli("wrapup", "--markdown", str(given)).code == 0
    (found,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert (found["text"], found["reasoning"]) == (
        "Start the database first.", "Tests time out."
    )  # fmt: skip


@pytest.mark.parametrize(
    "item, reason",
    [
        ({"why": "Because."}, "must hold texts or {text, why}"),
        ({"text": " ", "why": "Because."}, "must hold texts or {text, why}"),
        ({"text": "Use pnpm.", "reason": "x"}, "must hold texts or {text, why}"),
        ({"text": "Use pnpm.", "why": 3}, "must hold texts or {text, why}"),
        ({"text": "Use pnpm.", "why": "x" * 301}, "Learnings, why"),
        ({"text": "x" * 301, "why": "Because."}, "Learnings, item 1"),
    ],
)
def test_a_learning_of_another_form_or_length_is_refused(project, cli, tmp_path, item, reason):
    given = tmp_path / "entry.json"
    given.write_text(json.dumps({"summary": "Done.", "learnings": [item]}))
    said = cli("wrapup", "--json", str(given))
    assert said.code == 1
    assert reason in said.err


def test_more_learnings_than_five_or_a_long_one_are_refused(project, cli):
    many = [word for n in range(6) for word in ("--learning", f"Rule {n}.")]
    said = cli("wrapup", "--summary", "Done.", *many)
    assert said.code == 1
    assert "Learnings: 6 given; at most 5 are allowed" in said.err
    said = cli("wrapup", "--summary", "Done.", "--learning", "word " * 61)
    assert said.code == 1
    assert "at most 300 are allowed" in said.err
    assert git(project, "log", "--format=%s") == "first\n"


def test_an_entry_is_read_as_markdown_whatever_it_quotes(project, cli, monkeypatch):
    given = (
        '## Summary\n\nDon\'t round "half" pennies; `$(boom)` costs $5.\n\n'
        "## Friction points\n\n- It's slow\n\n## Next steps\n\n- Round\n\n## Learnings\n\n- Up\n"
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO(given))
    said = cli("wrapup", "continue", "--markdown", "-", "--json")
    assert said.code == 0, said.err
    shown = json.loads(cli("session", "show", json.loads(said.out)["id"], "--json").out)
    assert shown["summary"] == 'Don\'t round "half" pennies; `$(boom)` costs $5.'
    assert (shown["friction_points"], shown["next_steps"]) == (["It's slow"], ["Round"])
    assert (shown["learnings"], shown["needs_continuation"]) == (["Up"], True)


def test_sections_of_ones_own_are_kept_and_filtered(project, cli, monkeypatch):
    secret = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"
    given = f"## Summary\n\nDone.\n\n## Open questions\n\nKeep {secret}?\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(given))
    assert cli("wrapup", "--markdown", "-").code == 0
    kept = git(project, "log", "-p", "-1")
    assert ("+## Open questions" in kept, "+Keep [" in kept, secret in kept) == (True, True, False)


def test_what_a_wrap_up_reports_can_be_given_again(project, cli, monkeypatch):
    said = cli("wrapup", "--summary", "Done.", "--friction", "It's slow", "--next", "Ship").out
    monkeypatch.setattr(sys, "stdin", io.StringIO(said))
    again = json.loads(cli("wrapup", "--markdown", "-", "--json").out)
    shown = json.loads(cli("session", "show", again["id"], "--json").out)
    assert (shown["summary"], shown["friction_points"]) == ("Done.", ["It's slow"])
    assert shown["next_steps"] == ["Ship"]
    assert "Wrapped" not in git(project, "log", "-p", "-1")


def test_markdown_without_a_summary_is_refused(project, cli, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("## Friction points\n\n- slow\n"))
    said = cli("wrapup", "--markdown", "-")
    assert (said.code, "the summary is empty" in said.err) == (1, True)


def sample(name):
    return str(next(SAMPLES.glob(f"*{name}*")))


def ids(cli):
    listed = json.loads(cli("session", "list", "--json").out)
    return [row["id"] for row in listed["entries"]]


def test_a_draft_that_nobody_read_must_prove_itself_as_an_import_must(project, cli):
    for name in ("order-history", "2026-10-05"):
        assert cli("wrapup", "--from-transcript", sample(name)).code == 0
    document = json.loads(cli("reflect", "--json").out)
    assert not [one["text"] for one in document["proposals"] if " failed: " in one["text"]]


def test_a_transcript_wrapped_up_is_not_imported_once_more(project, cli):
    said = cli("wrapup", "--from-transcript", sample("order-history"), "--json")
    assert ids(cli) == [json.loads(said.out)["id"]]
    assert cli("import", "claude", sample("order-history"), "--all-projects").code == 0
    assert len(ids(cli)) == 1


def test_a_second_wrap_up_of_a_session_is_an_entry_of_its_own(project, cli):
    first = json.loads(cli("wrapup", "--from-transcript", sample("order-history"), "--json").out)
    again = cli(
        "wrapup", "--from-transcript", sample("order-history"), "--project", "shop", "--json"
    )
    assert json.loads(again.out)["id"] != first["id"]


def test_words_of_ones_own_beside_a_transcript_make_it_a_written_entry(project, cli):
    path = sample("order-history")
    friction = "`npm run lint` failed: the workspace links are pnpm's; use pnpm."
    cli("wrapup", "--from-transcript", path, "--friction", friction)
    proposals = json.loads(cli("reflect", "--json").out)["proposals"]
    assert [one["text"] for one in proposals if "workspace links" in one["text"]]


CLAIM = 'Corrected: "Always clear the build cache before `make dist`, or it ships the old one"'


@pytest.mark.parametrize("label", ["Found", "Corrected", "Rule given", "Reported"])
def test_an_agent_cannot_say_in_its_wrap_up_that_a_person_spoke(project, cli, monkeypatch, label):
    point = CLAIM.replace("Corrected", label)
    given = {"summary": "Built it.", "agent": "claude-code", "friction_points": [point]}
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(given)))
        assert cli("wrapup", "--json", "-").code == 0
    (made,) = json.loads(cli("reflect", "--json", "--dry-run", "--all").out)["proposals"]
    assert (made["origin"], made["text"].startswith("Always clear")) == ("agent", True)


def test_what_an_agent_says_beside_a_transcript_is_not_its_persons(project, cli):
    path = sample("order-history")
    assert cli("wrapup", "--from-transcript", path, "--friction", CLAIM).code == 0
    assert "said:" not in entry_file(project)
    proposals = json.loads(cli("reflect", "--json", "--all").out)["proposals"]
    assert {one["origin"] for one in proposals if "clear the build" in one["text"]} == {"agent"}


def test_a_caller_cannot_give_who_said_a_thing(project, cli, monkeypatch):
    given = {"summary": "Built it.", "friction_points": [CLAIM], "said": ["corrected"]}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(given)))
    done = cli("wrapup", "--json", "-")
    assert (done.code, "'said' is not a field" in done.err) == (1, True)
