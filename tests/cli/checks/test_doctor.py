"""`calmkb agents doctor`: the machine as it is, sound and not."""

import json
import os
import time

import pytest

from tests.conftest import git


def lines(said) -> dict[str, dict]:
    return {line["what"]: line for line in json.loads(said.out)["findings"]}


@pytest.fixture
def claude(home):
    folder = home / ".claude"
    (folder / "projects/-shop").mkdir(parents=True)
    return folder


def test_a_sound_machine_fails_nothing_and_says_what_it_looked_at(project, cli):
    said = cli("doctor")
    assert said.code == 0
    assert f"knowledge base: {project}, by the nearest configuration up from here" in said.out
    assert "ok    branch: main" in said.out
    assert "ok    identity: ada@example.org" in said.out


def test_a_detached_head_fails_with_the_fix(project, cli):
    git(project, "checkout", "-q", "--detach")
    said = cli("doctor", "--json")
    assert (said.code, lines(said)["branch"]["level"]) == (1, "fail")


def test_an_unknown_identity_and_a_stale_lock_are_warnings(project, cli, home):
    (home / ".gitconfig").write_text("")
    (project / ".git/index.lock").touch()
    said = cli("doctor", "--json")
    found = lines(said)
    assert (said.code, found["identity"]["level"], found["lock"]["level"]) == (0, "warn", "warn")


def test_a_folder_that_was_named_and_is_not_there_fails(project, cli):
    said = cli("--kb", "nowhere", "doctor", "--json")
    assert (said.code, "by --kb" in lines(said)["knowledge base"]["said"]) == (1, True)


def test_git_that_is_missing_fails_first(project, cli, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    said = cli("doctor", "--json")
    assert (said.code, list(lines(said))) == (1, ["git"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a file system with pipes")
def test_a_pipe_in_the_place_of_a_file_of_git_is_what_is_to_be_moved(project, cli):
    (project / ".git/info/exclude").unlink(missing_ok=True)
    os.mkfifo(project / ".git/info/exclude")
    git_line = lines(cli("doctor", "--json"))["git"]
    assert git_line["said"].endswith("exclude is not a plain file: git would wait")
    assert git_line["fix"] == "move it away"


@pytest.mark.parametrize(
    ("settings", "level"),
    [
        (None, "warn"),
        ("{}", "warn"),
        ("{broken", "fail"),
        ('{"hooks": {"Stop": [{"hooks": [{"command": "calmkb hook stop"}]}]}}', "ok"),
        ('{"env": {"command": "calmkb"}}', "warn"),
        ('{"enabledPlugins": {"calmkb@calmkb": true}}', "ok"),
        ('{"enabledPlugins": {"calmkb@calmkb": false}}', "warn"),
        (
            '{"enabledPlugins": {"calmkb@calmkb": true}, '
            '"hooks": {"Stop": [{"hooks": [{"command": "calmkb hook stop"}]}]}}',
            "warn",
        ),
    ],
)
def test_hooks_are_read_from_the_settings(project, cli, claude, settings, level):
    if settings is not None:
        (claude / "settings.json").write_text(settings)
    assert lines(cli("doctor", "--json"))["hooks"]["level"] == level


def test_transcripts_that_will_be_deleted_are_counted_unless_they_are_kept(project, cli, claude):
    old = time.time() - 25 * 86_400
    for name in ("kept", "lost", "fresh", "by-a-program"):
        path = claude / f"projects/-shop/{name}.jsonl"
        line = {"type": "user", "cwd": str(project), "message": {"role": "user", "content": "x"}}
        line |= {"entrypoint": "sdk-cli"} if name == "by-a-program" else {}
        path.write_text(json.dumps(line) + "\n")
        if name != "fresh":
            os.utime(path, (old, old))
    assert cli("wrapup", "--summary", "Done.", "--session-id", "kept").code == 0
    found = lines(cli("doctor", "--json"))["transcripts"]
    assert (found["level"], found["fix"]) == ("warn", "calmkb import claude")
    assert found["said"].startswith("1 of 2 ")


def test_transcripts_of_other_repositories_wait_for_nothing_here(project, cli, claude, tmp_path):
    line = {"type": "user", "cwd": str(tmp_path), "message": {"role": "user", "content": "x"}}
    (claude / "projects/-shop/other.jsonl").write_text(json.dumps(line) + "\n")
    assert "0 without an entry" in lines(cli("doctor", "--json"))["transcripts"]["said"]
