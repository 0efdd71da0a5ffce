"""A person has an approved memory enforced: tried on past sessions, then asked by the hook."""

import io
import json
from pathlib import Path

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from tests.children import run_python
from tests.cli.conftest import cli, project
from tests.conftest import git
from tests.warm import in_shell, without_terminal

__all__ = ["cli", "project"]
PNPM = "We use pnpm in this repo, not npm."
THEIRS = '{\n  "model": "haiku",  \n "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]} }'


@pytest.fixture
def memory(project, cli):
    """Return a function that approves a memory of this project and gives its short id."""

    def added(text: str) -> str:
        done = cli("memory", "add", "--category", "workflow", "--scope", "shop", text)
        assert done.code == 0, done.err
        return done.out.split()[2][:8]

    return added


@pytest.fixture
def yes(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n" * 9))


@pytest.fixture
def tool(project, home):
    """Return a function that runs the client's own hook command before a tool acts."""

    def call(name: str, cwd: Path = project, **given) -> dict:
        settings = json.loads((home / ".claude/settings.json").read_text())
        groups = settings.get("hooks", {}).get("PreToolUse", [])
        [command] = [one["command"] for group in groups for one in group["hooks"]]
        said = {"session_id": "s", "cwd": str(cwd), "hook_event_name": "PreToolUse",
                "transcript_path": str(home / "log.jsonl"), "tool_name": name,
                "tool_input": given}  # fmt: skip
        text = json.dumps(said, ensure_ascii=False).encode()  # as the client writes it
        done = in_shell(command, text, cwd=cwd)
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout) if done.stdout else {}

    return call


def log(home: Path, *calls: tuple[str, dict, str]) -> Path:
    """Write a session in which the agent made these calls: tool, input, and how it ended."""
    path = home / ".claude/projects/-shop/0a11e5aa-3f0e-4a6b-9a51-0f6f2b7f7c11.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    base = {"sessionId": path.stem, "cwd": str(Path.cwd()), "timestamp": "2026-11-20T10:00:00.000Z"}
    lines = [base | {"type": "user", "message": {"role": "user", "content": "Ship it, with bun."}}]
    for number, (name, given, end) in enumerate(calls):
        use = {"type": "tool_use", "id": f"t{number}", "name": name, "input": given}
        answer = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "done",
                  "is_error": end == "failed"}  # fmt: skip
        lines.append(base | {"type": "assistant", "message": {
            "id": f"m{number}", "role": "assistant", "content": [use]}})  # fmt: skip
        lines.append(base | {"type": "user", "message": {"role": "user", "content": [answer]}})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def reason(answer: dict) -> str:
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    return answer["hookSpecificOutput"]["permissionDecisionReason"]


def test_it_is_tried_on_the_sessions_of_this_repository_first(cli, memory, home):
    short = memory(PNPM)
    log(home, ("Bash", {"command": "npm ci"}, "failed"), ("Bash", {"command": "pnpm i"}, "passed"),
        ("Bash", {"command": "npm test"}, "passed"))  # fmt: skip
    shown = cli("memory", "enforce", short, "--dry-run").out
    assert "Check: never run npm\n" in shown
    assert "fired 2 times in 1 session (3 calls)" in shown
    assert "0a11e5aa:3  npm ci  (failed)" in shown
    assert "1 of these calls failed or were refused; 0 a person had asked for" in shown
    row = json.loads(cli("memory", "enforce", short, "--json").out)
    assert (row["version"], row["sessions"], row["calls"]) == (1, 1, 3)
    assert [one["outcome"] for one in row["fired"]] == ["failed", "passed"]
    assert not (home / ".calm/checks.json").exists()
    assert not (home / ".claude/settings.json").exists()


def test_what_a_person_had_asked_for_counts_against_the_check(cli, memory, home):
    short = memory("Use npm here, not bun.")
    log(home, ("Bash", {"command": "bun install"}, "passed"))
    shown = cli("memory", "enforce", short, "--dry-run", "--check", "never run bun").out
    assert "1 a person had asked for, where the check would be wrong" in shown


def test_a_call_that_breaks_it_is_blocked_with_the_memory_as_the_reason(
    cli, memory, yes, tool, project
):
    short = memory(PNPM)
    done = cli("memory", "enforce", short, "--as", "block")
    assert done.code == 0, done.err
    assert f"Enforced (block): memory {short}" in done.out
    assert "+checks:\n+- never run npm\n" in git(project, "show", "HEAD")
    words = reason(tool("Bash", command="cd web && npm ci"))
    assert PNPM in words
    assert f"calmkb agents enforce {short} --pass" in words
    assert tool("Bash", command="pnpm ci") == {}
    assert tool("Write", file_path=str(project / "a.txt"), content="npm ci") == {}


def test_a_warning_lets_the_call_go_on(cli, memory, yes, tool):
    short = memory(PNPM)
    assert cli("memory", "enforce", short).code == 0
    answer = tool("Bash", command="npm ci")
    assert "the call is made" in answer["hookSpecificOutput"]["additionalContext"]
    assert short in answer["systemMessage"]
    assert "permissionDecision" not in answer["hookSpecificOutput"]


def test_a_person_lets_one_call_pass(cli, memory, yes, tool):
    short = memory(PNPM)
    cli("memory", "enforce", short, "--as", "block")
    assert "within ten minutes" in cli("memory", "enforce", short, "--pass").out
    assert tool("Bash", command="npm ci") == {}
    assert reason(tool("Bash", command="npm ci"))


@pytest.mark.parametrize("theirs", [None, THEIRS])
def test_off_puts_the_settings_back_to_the_byte(cli, memory, yes, home, project, theirs):
    settings = home / ".claude/settings.json"
    if theirs:
        settings.parent.mkdir()
        settings.write_text(theirs)
    first, second = memory(PNPM), memory("Never force-push.")
    for short in (first, second):
        assert cli("memory", "enforce", short).code == 0
    assert "enforced no longer" in cli("memory", "enforce", first, "--off").out
    assert "calmkb hook PreToolUse" in settings.read_text()
    assert "Removed the hook" in cli("memory", "enforce", second, "--off").out
    assert (settings.read_text() if theirs else settings.exists()) == (theirs or False)
    assert "enforce" not in git(project, "show", f"HEAD:{record(project, second)}")
    assert "is not enforced" in cli("memory", "enforce", second, "--off").out


def record(project: Path, short: str) -> str:
    return next(p for p in git(project, "ls-files", "journal").split("\n") if short in p)


def test_hooks_off_and_on_again_keep_it(cli, memory, yes, tool, home):
    short = memory(PNPM)
    cli("memory", "enforce", short, "--as", "block")
    cli("hooks", "off")
    assert not (home / ".claude/settings.json").exists()
    cli("hooks", "on")
    assert reason(tool("Bash", command="npm ci"))


def test_a_memory_that_changed_since_stops_nothing(cli, memory, yes, tool):
    short = memory(PNPM)
    cli("memory", "enforce", short, "--as", "block")
    assert reason(tool("Bash", command="npm ci"))
    cli("memory", "edit", short, "--text", "We use bun in this repo.")
    assert tool("Bash", command="npm ci") == {}


def written(path: Path) -> None:
    path.write_text(path.read_text().replace("pnpm in", "pnpm  in"))


CHANGES = {
    "edited": (written, True, "its file is not as it is committed"),
    "deleted": (Path.unlink, True, "its file is not as it is committed"),
    "broken": (lambda path: path.write_text("x"), True, "its file is not as it is committed"),
    "committed": (lambda path: (written(path), git(path.parent, "commit", "-qam", "x")), False,
                  "its record was changed or taken out"),
    "taken out": (lambda path: (path.unlink(), git(path.parent.parent, "commit", "-qam", "x")),
                  False, "its record was changed or taken out"),
    "another branch": (lambda path: git(path.parents[3], "checkout", "-q", "HEAD~2"), False,
                       "is not on this branch"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_rule_that_is_off_or_will_be_is_told(cli, memory, yes, tool, project, name):
    change, holds, why = CHANGES[name]
    short = memory(PNPM)
    cli("memory", "enforce", short, "--as", "block")
    assert "not-enforced" not in cli("check").out
    change(project / record(project, short))
    assert bool(tool("Bash", command="npm ci")) == holds
    assert why in " ".join(cli("check").out.split())
    assert why in " ".join(cli("agents", "enforce").err.split())
    started = json.dumps({"cwd": str(project), "source": "startup"})
    said = without_terminal("hook", "SessionStart", said=started, cwd=project)
    assert said.returncode == 0
    assert why in json.loads(said.stdout)["systemMessage"]


@pytest.mark.parametrize("settings", ['project = "quay"', 'journal = "notes"', "project = 7", None])
def test_settings_that_an_agent_edits_switch_nothing_off(cli, memory, yes, tool, project, settings):
    cli("memory", "enforce", memory(PNPM), "--as", "block")
    if settings is None:
        (project / "calmkb.toml").unlink()
    else:
        (project / "calmkb.toml").write_text(settings)
    assert reason(tool("Bash", command="npm ci"))


@pytest.mark.parametrize(
    ("settings", "why"), [("{}", "its hook is not in the settings"), ("{", "cannot be looked for")]
)
def test_a_hook_that_is_gone_or_cannot_be_read_is_told(cli, memory, yes, home, settings, why):
    cli("memory", "enforce", memory(PNPM), "--as", "block")
    (home / ".claude/settings.json").write_text(settings)
    assert why in " ".join(cli("check").out.split())


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_clone_that_switches_every_hook_off_is_told(cli, memory, yes, project, name):
    cli("memory", "enforce", memory(PNPM), "--as", "block")
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / name).write_text('{"disableAllHooks": true}')
    for command in (("check",), ("agents", "enforce")):
        done = cli(*command)
        assert f"{name} sets disableAllHooks" in " ".join((done.out + done.err).split())


def test_nothing_is_switched_on_where_the_settings_cannot_be_read(cli, memory, yes, home):
    short = memory(PNPM)
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude/settings.json").write_text("{")
    assert cli("memory", "enforce", short, "--as", "block").code == 1
    assert "not on this machine" in cli("agents", "enforce").out


def test_what_a_clone_brings_runs_only_after_this_person_said_yes(cli, memory, yes, project, tool):
    short = memory(PNPM)
    cli("memory", "enforce", short, "--as", "block")
    path = project / record(project, short)
    path.write_text(path.read_text().replace("never run npm", "never run git"))
    git(project, "commit", "-qam", "Widen the check")
    assert "block, not on this machine: never run git" in cli("memory", "enforce").out
    assert tool("Bash", command="npm ci") == {}  # the record is another one now
    assert tool("Bash", command="git status") == {}
    assert cli("memory", "enforce", short).code == 0
    assert reason(tool("Bash", command="git status"))


def test_nobody_but_a_person_enforces_and_an_unapproved_memory_never_is(cli, memory, project, yes):
    short = memory(PNPM)
    assert run(calmkb, ["memory", "enforce", short], person=False) == 1
    path = project / record(project, short)
    path.write_text(path.read_text().replace("We use pnpm", "We use bun"))
    refused = cli("memory", "enforce", short, "--check", "never run npm")
    assert refused.code == 1
    assert "is not enforced" in refused.err
    assert not (Path.home() / ".calm/checks.json").exists()


def test_other_repositories_are_left_alone(cli, memory, yes, tool, tmp_path):
    cli("memory", "enforce", memory(PNPM), "--as", "block")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    assert tool("Bash", cwd=other, command="npm ci") == {}


def test_a_file_and_a_text_are_held_against_their_checks(cli, memory, yes, tool, project):
    first = memory("Never edit `generated/**` by hand; run `make gen`.")
    second = memory("Use `paths.Root()`, not `os.Getwd()`.")
    for short in (first, second):
        assert cli("memory", "enforce", short, "--as", "block").code == 0
    made = str(project / "generated/api/a.go")
    assert "make gen" in reason(tool("Edit", file_path=made, old_string="a", new_string="b"))
    code = str(project / "cmd/a.go")
    assert "paths.Root" in reason(tool("Write", file_path=code, content="d := os.Getwd()\n"))
    assert tool("Write", file_path=code, content="d := paths.Root()\n") == {}
    outside = str(project.parent / "generated/a.go")
    assert tool("Edit", file_path=outside, old_string="a", new_string="b") == {}


def test_an_order_looks_at_what_ran_in_the_session(cli, memory, yes, tool, home):
    short = memory("Run `make lint` before every commit.")
    assert cli("memory", "enforce", short, "--as", "block").code == 0
    edit = ("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}, "passed")
    lint = ("Bash", {"command": "make lint"}, "passed")
    failed = ("Bash", {"command": "make lint"}, "failed")
    for calls, stopped in [([lint, edit], True), ([edit, lint], False), ([edit, failed], True)]:
        log(home, *calls).replace(home / "log.jsonl")
        assert bool(tool("Bash", command="git commit -m x")) is stopped


@pytest.fixture
def stop(project, home):
    """Return a function that runs the client's hook commands at the end of a turn."""

    def call(*, again: bool = False) -> list[dict]:
        settings = json.loads((home / ".claude/settings.json").read_text())
        said = {"session_id": "s", "cwd": str(project), "hook_event_name": "Stop",
                "transcript_path": str(home / "log.jsonl"), "stop_hook_active": again}  # fmt: skip
        answers = []
        for command in (one["command"] for g in settings["hooks"]["Stop"] for one in g["hooks"]):
            text = json.dumps(said, ensure_ascii=False).encode()
            done = in_shell(command, text, cwd=project)
            assert (done.returncode, done.stderr) == (0, b"")
            answers += [json.loads(done.stdout)] if done.stdout else []
        return answers

    return call


EDIT = ("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}, "passed")
LINT = ("Bash", {"command": "make lint"}, "passed")
LOOK = ("Bash", {"command": "ls"}, "passed")


@pytest.mark.parametrize(
    ("calls", "held"),
    [((LINT, EDIT), True), ((EDIT, LINT), False), ((LOOK,), False), ((), False),
     ((EDIT, ("Bash", {"command": "make lint"}, "failed")), True),
     ((EDIT, LINT, EDIT), True)],
)  # fmt: skip
def test_a_turn_does_not_end_before_what_is_to_be_run(
    cli, memory, yes, stop, home, project, calls, held
):
    short = memory("Always run `make lint` before you finish.")
    done = cli("memory", "enforce", short, "--as", "block")
    assert done.code == 0, done.err
    log(home, *calls).replace(home / "log.jsonl")
    answers = stop()
    assert bool(answers) is held
    if held:
        assert answers[0]["decision"] == "block"
        assert "run make lint before stopping" in answers[0]["reason"]
        cli("memory", "enforce", short, "--pass")
        assert stop() == []
        assert "blocked 1 call, let 1 pass" in cli("memory", "enforce").out


def test_a_turn_that_only_answers_is_not_held_for_an_earlier_change(cli, memory, yes, stop, home):
    cli("memory", "enforce", memory("Always run `make lint` before you finish."))
    path = log(home, EDIT)
    line = json.loads(path.read_text().splitlines()[0])
    assert "Ship it" in line["message"]["content"]
    path.replace(home / "log.jsonl")
    assert "breaks memory" in stop()[0]["systemMessage"]
    line["message"]["content"] = "Thanks, leave it at that."
    with (home / "log.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
    assert stop() == []


def test_a_turn_that_was_held_once_ends_the_next_time(cli, memory, yes, stop, home):
    cli("memory", "enforce", memory("Always run `make lint` before you finish."), "--as", "block")
    log(home, EDIT).replace(home / "log.jsonl")
    assert [bool(stop()), bool(stop(again=True))] == [True, False]
    assert (home / ".calm" / "turns" / "log.jsonl").read_text() == "1\n"


def test_a_later_turn_is_held_for_its_own_change(cli, memory, yes, stop, home):
    cli("memory", "enforce", memory("Always run `make lint` before you finish."), "--as", "block")
    log(home, EDIT, LINT).replace(home / "log.jsonl")
    assert stop() == []
    log(home, EDIT, LINT, EDIT).replace(home / "log.jsonl")
    assert stop()[0]["decision"] == "block"
    log(home, EDIT, LINT, EDIT, LINT).replace(home / "log.jsonl")
    assert stop() == []


def test_counts_of_sessions_long_over_are_dropped(tmp_path):
    from calmkb.wings.proof.local import keep_counts

    keep_counts(tmp_path, 0.0)
    old = tmp_path / "turns" / "old.jsonl"
    old.write_text("3\n")
    keep_counts(tmp_path, old.stat().st_mtime + 13 * 86_400)
    assert old.exists()
    keep_counts(tmp_path, old.stat().st_mtime + 15 * 86_400)
    assert not old.exists()


def test_the_hook_at_the_end_comes_and_goes_with_its_check(cli, memory, yes, home):
    settings = home / ".claude/settings.json"
    cli("hooks", "on")
    before = settings.read_text()
    first, second = memory("Always run `make lint` before you finish."), memory(PNPM)
    cli("memory", "enforce", first)
    assert "PreToolUse" not in settings.read_text()
    cli("memory", "enforce", second)
    assert "hook PreToolUse" in settings.read_text()
    cli("hooks", "on")
    assert settings.read_text().count("hook StopCheck; ") == 1
    assert settings.read_text().count("hook Stop; ") == 1
    cli("memory", "enforce", first, "--off")
    assert "StopCheck" not in settings.read_text()
    cli("memory", "enforce", second, "--off")
    assert settings.read_text() == before


def test_past_turns_that_ended_without_it_are_counted(cli, memory, home):
    short = memory("Always run `make lint` before you finish.")
    log(home, EDIT, ("Bash", {"command": "ls nowhere"}, "failed"))
    shown = cli("memory", "enforce", short, "--dry-run").out
    assert "fired 1 time in 1 session (2 calls)" in shown
    assert "the turn ends  (passed)" in shown


def test_without_an_id_it_lists_what_is_and_what_could_be_enforced(cli, memory, yes):
    assert "No memory has a check yet" in cli("memory", "enforce").out
    memory("Prices are kept in cents.")
    short = memory(PNPM)
    assert f"{short}  could be enforced: never run npm" in cli("memory", "enforce").out
    cli("memory", "enforce", short)
    assert f"{short}  warn: never run npm" in cli("memory", "enforce").out


def test_what_it_stopped_is_counted_and_the_calls_are_not_kept(cli, memory, yes, tool, home):
    short = memory(PNPM)
    cli("memory", "enforce", short, "--as", "block")
    assert "blocked" not in cli("memory", "enforce").out
    for _ in range(2):
        tool("Bash", command="npm publish --otp=123456")
    cli("memory", "enforce", short, "--pass")
    tool("Bash", command="npm ci")
    tool("Bash", command="pnpm ci")
    words = "blocked 2 calls, let 1 pass, in 1 session; the last on 20"
    assert words in cli("memory", "enforce").out
    assert f"block: never run npm; {words}" in cli("memory", "show", short).out
    row = json.loads(cli("memory", "show", short, "--json").out)["stopped"]
    assert (row["blocked"], row["warned"], row["passed"], row["sessions"]) == (2, 0, 1, 1)
    assert "123456" not in (home / ".calm/checks.jsonl").read_text()


def test_a_broken_line_of_what_was_stopped_is_passed_over(cli, memory, yes, tool, home):
    cli("memory", "enforce", memory(PNPM))
    tool("Bash", command="npm ci")
    with (home / ".calm/checks.jsonl").open("ab") as file:
        file.write(b'{"memory": 1}\n[[\n\xff\n')
    assert "warned of 1 call, in 1 session" in cli("memory", "enforce").out


def test_words_without_a_check_are_an_error_that_says_how_to_state_one(cli, memory):
    refused = cli("memory", "enforce", memory("Prices are kept in cents."))
    assert refused.code == 1
    assert "--check 'never run npm'" in refused.err


def test_a_broken_list_on_this_machine_stops_no_tool(cli, memory, yes, tool, home):
    cli("memory", "enforce", memory(PNPM), "--as", "block")
    (home / ".calm/checks.json").write_text("[" * 9)
    assert tool("Bash", command="npm ci") == {}


RULES = """# Rules

- We use pnpm in this repo, not npm.
- Be kind.
- The pages below `docs/cli/` are generated. Do not edit them by hand.
"""


def test_the_lines_of_a_file_that_could_be_held_are_shown_with_what_they_would_have_stopped(
    cli, project, home, monkeypatch
):
    (project / "CLAUDE.md").write_text(RULES)
    log(home, ("Bash", {"command": "npm ci"}, "failed"), ("Bash", {"command": "ls"}, "passed"))
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n" * 2))
    done = cli("enforce", "--from", "CLAUDE.md")
    assert done.code == 0, done.err
    assert "CLAUDE.md:3: We use pnpm in this repo, not npm.\nCheck: never run npm\n" in done.out
    assert "fired 1 time in 1 session (2 calls)" in done.out
    assert "CLAUDE.md:5: " in done.out
    assert "Check: never edit docs/cli/**\n" in done.out
    assert "2 lines of CLAUDE.md could be held." in done.out


def test_what_the_instructions_of_a_folder_say_of_code_holds_in_that_folder(cli, project):
    git(project, "init", "-q")
    (project / "web/.cursor/rules").mkdir(parents=True)
    for path in ("web/CLAUDE.md", "CLAUDE.md", "web/.cursor/rules/a.mdc"):
        (project / path).write_text("- Never use `eval()`.\n- Never run `npm`.\n")
    assert "Check: never write `eval(`\n" in cli("enforce", "--from", "CLAUDE.md").out
    for path in ("web/CLAUDE.md", "web/.cursor/rules/a.mdc"):
        assert "Check: never write `eval(` in web/**\n" in cli("enforce", "--from", path).out


def test_a_person_picks_the_lines_of_a_file_that_are_held(cli, project, home, tool, monkeypatch):
    (project / "CLAUDE.md").write_text(RULES)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nn\n"))
    done = cli("enforce", "--from", "CLAUDE.md")
    assert done.code == 0, done.err
    assert done.out.count("Enforced (warn): memory ") == 1
    assert "breaks its check: never run npm" in json.dumps(tool("Bash", command="npm ci"))
    assert tool("Edit", file_path=str(project / "docs/cli/a.md"), new_string="x") == {}
    assert cli("memory", "list").out.count("pnpm") == 1


def test_without_a_person_a_file_is_shown_and_nothing_changes(project, home, capsys):
    (project / "CLAUDE.md").write_text(RULES)
    assert run(calmkb, ["enforce", "--from", "CLAUDE.md"], person=False) == 0
    assert "Nothing was changed: a person picks at a terminal" in capsys.readouterr().out
    assert not (home / ".calm/checks.json").exists()
    assert not (home / ".claude/settings.json").exists()


@pytest.mark.parametrize("word", ["never ", "no ", "stop completing "])
def test_a_hostile_line_of_any_length_hides_no_rule_and_hangs_nothing(project, word):
    (project / "CLAUDE.md").write_text(word * 20_000 + "\n\n" + RULES)
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from calmkb.wings.proof.verbs.enforce.trial import lines_of\n"
        "print(*(str(one) for line in lines_of(Path(sys.argv[1])) for one in line.checks))"
    )
    found = run_python(code, str(project / "CLAUDE.md"), seconds=10)
    assert found == "never run npm never edit docs/cli/**"


def test_a_rule_of_another_project_hides_none_that_holds_here(cli, memory, yes, tool, tmp_path):
    cli("memory", "add", "--category", "workflow", "--scope", "other", "Use bun here, not npm.")
    found = json.loads(cli("memory", "list", "--json").out)["memories"]
    assert cli("memory", "enforce", found[0]["id"], "--as", "block").code == 0
    assert cli("memory", "enforce", memory(PNPM), "--as", "block").code == 0
    assert PNPM in reason(tool("Bash", command="npm ci"))
