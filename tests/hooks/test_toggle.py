"""`calmkb agents hooks`: somebody else's settings, switched at the command line."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from calmkb.capture.hooks.commands import NOT_FOUND
from calmkb.kb.hooks.toggle import plugin_hooks, wanted_hooks

THEIRS = (
    '{\n    "model": "h\u00e4iku",\n    "hooks": {"Stop": [{"hooks": '
    '[{"type": "command", "command": "say \'done\'"}]}],\n'
    '              "PreToolUse": []},\n'
    '  "statusLine": {"type":"command", "command": "git branch | awk \'{print \\u00241}\'"}\n}'
)


def guarded(program: str, event: str) -> str:
    """Return the command of a hook that does nothing where the program is gone."""
    gone = f"{{ echo '{NOT_FOUND}'; exit 0; }}" if event == "SessionStart" else "exit 0"
    return (
        f"command -v {program} >/dev/null 2>&1 || {gone}; "
        f"CALMKB_CLIENT_PID=$PPID {program} hook {event}"
    )


@pytest.fixture(autouse=True)
def program(tmp_path, monkeypatch) -> Path:
    """Return a calmkb on PATH."""
    path = tmp_path / "my bin" / "calmkb"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
    return path


@pytest.fixture
def settings(home) -> Path:
    """Return the person's settings file, which has other hooks and another status line."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(THEIRS, encoding="utf-8")
    return path


def commands(path: Path) -> dict[str, list[str]]:
    events = json.loads(path.read_text(encoding="utf-8"))["hooks"]
    return {
        event: [one["command"] for group in groups for one in group["hooks"]]
        for event, groups in events.items()
    }


def test_on_and_off_give_every_byte_back_and_keep_the_old_file(project, cli, settings):
    said = cli("hooks", "on", "--status-line")
    assert (said.code, said.err) == (0, "")
    assert (
        "Added calmkb's hooks to ~/.claude/settings.json; it takes effect in the next session"
        in said.out
    )
    assert (settings.parent / "settings.json.bak").read_text(encoding="utf-8") == THEIRS
    assert commands(settings)["Stop"][0] == "say 'done'"
    said = cli("hooks", "off")
    assert (
        "Removed calmkb's hooks from ~/.claude/settings.json; it takes effect in the next"
        in said.out
    )
    assert settings.read_text(encoding="utf-8") == THEIRS


def test_a_file_that_was_not_there_is_gone_again_and_one_that_was_stays(project, cli, home):
    path = home / ".claude" / "settings.json"
    cli("hooks", "on")
    assert path.exists()
    cli("hooks", "off")
    assert list(path.parent.iterdir()) == []
    for text in ("{}", "", " \n", '{"a": 1}', '{\n\t"a": [\n\t\t1\n\t]\n}\n'):
        path.write_text(text)
        cli("hooks", "on")
        assert "calmkb hook Stop" in path.read_text()
        cli("hooks", "off")
        assert path.read_text() == text


def test_a_missing_file_is_made_with_all_hooks_as_the_client_wants_them(
    project, cli, home, program
):
    assert cli("hooks", "on").code == 0
    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    assert {event: len(groups) for event, groups in hooks.items()} == {
        "PostToolUseFailure": 1,
        "PreCompact": 1,
        "Stop": 1,
        "SessionEnd": 1,
        "SessionStart": 2,
    }
    failure = hooks["PostToolUseFailure"][0]["hooks"][0]
    assert (failure["async"], failure["timeout"]) == (True, 5)
    assert hooks["SessionEnd"][0]["hooks"][0]["timeout"] == 30
    assert hooks["PreCompact"][0]["hooks"] == [
        {"type": "command", "command": guarded(f"'{program}'", "PreCompact"), "timeout": 30}
    ]
    assert [group["matcher"] for group in hooks["SessionStart"]] == [
        "compact",
        "startup|resume|clear|fork",
    ]


def test_a_second_on_writes_nothing(project, cli, settings):
    cli("hooks", "on")
    before = settings.stat()
    said = cli("hooks", "on")
    assert "already has calmkb's hooks" in said.out
    assert (settings.stat().st_ino, settings.stat().st_mtime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
    )


def test_a_part_counts_as_on_and_on_completes_it(project, cli, settings):
    cli("hooks", "on")
    whole = settings.read_text()
    shown = json.loads(whole)
    del shown["hooks"]["SessionEnd"], shown["hooks"]["SessionStart"][0]
    settings.write_text(json.dumps(shown, indent=2))
    said = cli("hooks", "status")
    assert said.out.startswith("on: PostToolUseFailure, PreCompact, Stop, SessionStart (startup")
    assert "missing: SessionEnd, SessionStart (compact)" in said.out
    part = settings.read_text()
    cli("hooks", "on")
    assert "missing" not in cli("hooks", "status").out
    settings.write_text(part)
    cli("hooks", "off")
    assert json.loads(settings.read_text()) == json.loads(THEIRS)


def test_status_tells_off_and_changes_nothing(project, cli, settings):
    assert cli("hooks", "status").out.startswith("off: ~/.claude/settings.json has no calmkb hooks")
    assert settings.read_text(encoding="utf-8") == THEIRS
    assert "has no calmkb hooks" in cli("hooks", "off").out


def test_a_projects_file_names_no_machine(project, cli, program):
    (project / "sub").mkdir()
    os.chdir(project / "sub")
    cli("hooks", "on", "--project", "--mcp")
    path = project / ".claude" / "settings.json"
    assert commands(path)["SessionStart"] == [guarded("calmkb", "SessionStart")] * 2
    assert str(program.parent) not in path.read_text()
    assert json.loads((project / ".mcp.json").read_text())["mcpServers"]["calmkb"] == {
        "command": "calmkb",
        "args": ["mcp"],
    }


def test_the_clients_other_folder_is_used(project, cli, tmp_path, monkeypatch, home):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    cli("hooks", "on")
    assert (tmp_path / "elsewhere" / "settings.json").exists()
    assert not (home / ".claude").exists()


@pytest.mark.parametrize("link", [".claude", ".claude/settings.json", ".mcp.json"])
def test_a_link_of_the_project_is_not_written_through(project, cli, tmp_path, link):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "settings.json").write_text("{}")
    (project / link).parent.mkdir(exist_ok=True)
    target = outside if link == ".claude" else outside / "settings.json"
    (project / link).symlink_to(os.path.relpath(target, (project / link).parent))
    for action in (["on", "--mcp"], ["off"]):
        said = cli("hooks", *action, "--project")
        if link != ".mcp.json" or action != ["off"]:
            assert (said.code, "outside" in said.err) == (1, True), said
    assert [path.name for path in outside.iterdir()] == ["settings.json"]
    assert (outside / "settings.json").read_text() == "{}"


def test_a_link_of_the_project_into_git_is_not_written_through(project, cli):
    before = (project / ".git/config").read_text()
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").symlink_to("../.git/config")
    assert "git's own" in cli("hooks", "on", "--project").err
    assert (project / ".git/config").read_text() == before


def test_a_home_behind_a_link_is_a_persons_own(project, cli, tmp_path, home):
    (tmp_path / "dotfiles").mkdir()
    (home / ".claude").symlink_to(tmp_path / "dotfiles")
    assert cli("hooks", "on").code == 0
    assert "calmkb hook" in (tmp_path / "dotfiles/settings.json").read_text()


def test_a_link_stays_a_link_and_a_mode_stays(project, cli, settings, tmp_path):
    real = tmp_path / "dotfiles.json"
    settings.rename(real)
    real.chmod(0o600)
    settings.symlink_to(real)
    cli("hooks", "on")
    assert settings.is_symlink()
    assert "calmkb hook" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "dotfiles.json.bak").stat().st_mode) == 0o600


@pytest.mark.parametrize("raw", [b"{", b"[]", b'{"hooks": 1}', b'{"hooks": {"Stop": 1}}', b"\xff"])
@pytest.mark.parametrize("action", ["on", "off", "status"])
def test_a_file_that_is_none_of_the_clients_is_named_and_left_alone(
    project, cli, settings, raw, action
):
    settings.write_bytes(raw)
    said = cli("hooks", action)
    assert said.code == 1
    assert str(settings) in said.err
    assert "fix it by hand first" in said.err
    assert settings.read_bytes() == raw
    assert [one.name for one in settings.parent.iterdir()] == ["settings.json"]


def test_a_byte_order_mark_stays(project, cli, settings):
    settings.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n')
    assert cli("hooks", "on").code == 0
    assert settings.read_bytes().startswith(b'\xef\xbb\xbf{"a": 1')
    cli("hooks", "off")
    assert settings.read_bytes() == b'\xef\xbb\xbf{"a": 1}\r\n'


@pytest.mark.parametrize("as_module", [False, True])
def test_a_path_with_blanks_and_quotes_is_run_and_known_as_ours(
    project, cli, settings, tmp_path, monkeypatch, as_module
):
    folder = tmp_path / "Ada O'Neil's kal\u00e9"
    folder.mkdir()
    program = folder / ("python" if as_module else "calmkb")
    program.write_text('#!/bin/sh\necho "$@" > "${0%/*}/ran"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin:/bin")
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    assert cli("hooks", "on", "--status-line").code == 0
    text = settings.read_text(encoding="utf-8")
    assert "already has calmkb's hooks" in cli("hooks", "on", "--status-line").out
    assert settings.read_text(encoding="utf-8") == text
    line = json.loads(text)["statusLine"]["command"]
    for command, said in ((commands(settings)["PreCompact"][0], "hook PreCompact"),
                          (line.partition(" --with")[0], "statusline")):  # fmt: skip
        subprocess.run(["sh", "-c", command], input=b"{}", check=True)
        assert (folder / "ran").read_text().split(" ", 3 * as_module)[-1].strip() == said
    program.unlink()
    assert f"{program} does not exist" in cli("hooks", "status").err
    assert cli("hooks", "off").code == 0
    assert settings.read_text(encoding="utf-8") == THEIRS


def test_a_lost_program_is_told(project, cli, settings, program):
    cli("hooks", "on", "--project")
    cli("hooks", "on")
    program.unlink()
    assert f"{program} does not exist" in cli("hooks", "status").err
    assert "calmkb is not on PATH" in cli("hooks", "status", "--project").err


def test_both_ways_at_once_are_reported(project, cli, settings):
    settings.write_text('{"enabledPlugins": {"calmkb@calmkb": true}}')
    assert cli("hooks", "status").out.startswith("on: the calmkb plugin is enabled and captures")
    assert "keep one of the two" in cli("hooks", "on").err


def test_a_persons_status_line_goes_on_in_ours(project, cli, settings, program):
    cli("hooks", "on", "--status-line")
    line = json.loads(settings.read_text(encoding="utf-8"))["statusLine"]["command"]
    theirs = "git branch | awk '\"'\"'{print $1}'\"'\"'"
    assert line.replace("'\\''", "'\"'\"'") == f"'{program}' statusline --with '{theirs}'"


def test_off_says_that_the_plugin_goes_on_capturing(project, cli, home):
    path = home / ".claude/settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"enabledPlugins": {"calmkb@calmkb": true}}')
    cli("hooks", "on")
    said = cli("hooks", "off")
    assert "the calmkb plugin is enabled and goes on capturing" in said.err


@pytest.mark.skipif(os.name == "nt", reason="the command is for a POSIX shell")
@pytest.mark.parametrize("event", ["SessionStart", "PreCompact"])
def test_a_hook_whose_program_is_gone_does_nothing_and_a_start_says_so(home, event):
    command = next(h.handler["command"] for h in wanted_hooks("calmkb") if h.event == event)
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=b"{}", capture_output=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home)}, check=False,
    )  # fmt: skip
    said = json.loads(done.stdout or b"{}").get("systemMessage", "")
    assert (done.returncode, done.stderr) == (0, b"")
    assert said.startswith("calmkb was not found: ") == (event == "SessionStart")
    assert not (home / ".calm").exists()


def test_hooks_of_before_the_message_are_ours_and_renewed(project, cli, home, program):
    path = home / ".claude" / "settings.json"
    cli("hooks", "on")
    now = path.read_text()
    then = now.replace(json.dumps(f"{{ echo '{NOT_FOUND}'; exit 0; }}")[1:-1], "exit 0")
    assert then != now
    path.write_text(then)
    cli("hooks", "on")
    assert path.read_text() == now
    path.write_text(then)
    cli("hooks", "off")
    assert "calmkb" not in path.read_text()


@pytest.mark.skipif(os.name == "nt", reason="the commands are for a POSIX shell")
def test_the_plugins_hooks_leave_nothing_where_the_program_is_gone(home):
    for groups in json.loads(plugin_hooks())["hooks"].values():
        for group in groups:
            done = subprocess.run(
                ["/bin/sh", "-c", group["hooks"][0]["command"]], input=b"{}", capture_output=True,
                env={"PATH": "/usr/bin:/bin", "HOME": str(home)}, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, b"")
            assert b"calmkb was not found" in done.stdout or not done.stdout
    assert not (home / ".calm").exists()


def test_an_empty_home_makes_no_folder_at_the_root_of_the_disk(tmp_path):
    for event in ("SessionStart", "PreCompact", "SessionEnd"):
        done = subprocess.run(
            [sys.executable, "-m", "calmkb", "hook", event], input=b'{"source": "startup"}',
            capture_output=True, cwd=tmp_path, env={"PATH": os.environ["PATH"], "HOME": ""},
            check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not Path("/.calm/queue").exists()


def test_a_hook_of_the_interpreter_alone_imports_no_module_of_the_project(
    project, cli, settings, tmp_path, monkeypatch
):
    alone = tmp_path / "alone" / "python3"
    alone.parent.mkdir()
    alone.symlink_to(sys.executable)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(sys, "executable", str(alone))
    assert cli("hooks", "on").code == 0
    (start,) = commands(settings)["SessionStart"][:1]
    for name in ("calmkb", "click", "json"):
        (project / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    said = json.dumps({"session_id": "s", "source": "startup", "cwd": str(project)})
    subprocess.run(["sh", "-c", start], cwd=project, env=env, input=said, text=True, check=True)
    assert " -P -m calmkb hook" in start and not (tmp_path / "ran").exists()
