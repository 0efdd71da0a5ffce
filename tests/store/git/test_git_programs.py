"""A repository whose settings name programs wherever git can be given one: calmkb runs none.

Such a `.git/config` comes with an unpacked archive or a shared disk, not with a clone.
"""

import contextlib
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from calmkb.errors import GitFailedError
from calmkb.store.git.filters import unfiltered
from calmkb.store.git.repository import find_repository
from calmkb.store.git.run import Git
from calmkb.system.programs import candidates, find_program
from calmkb.system.run_program import full_command
from tests.cli.conftest import cli  # noqa: F401 - a fixture
from tests.conftest import git
from tests.people import AS_A_PERSON
from tests.warm import without_terminal

MEMORY = "Use pnpm for every script in shop."
PLACES = (
    "filter.all.clean", "filter.all.smudge", "filter.all.process", "diff.all.textconv",
    "diff.all.command", "merge.all.driver", "diff.external", "core.fsmonitor", "core.editor",
    "core.pager", "core.askPass", "core.sshCommand", "core.gitProxy", "core.alternateRefsCommand",
    "sequence.editor", "gpg.program", "gpg.ssh.program", "credential.helper", "pager.log",
    "remote.origin.uploadpack", "remote.origin.receivepack", "uploadpack.packObjectsHook",
    "interactive.diffFilter", "alias.log", "alias.status", "alias.config", "trailer.x.command",
)  # fmt: skip
NETWORK = {"uploadpack", "receivepack", "ref-hook"}
"""What `git fetch` and `git push` run too, and so does `calmkb sync`."""


@pytest.fixture
def canaries(tmp_path: Path) -> Path:
    folder = tmp_path / "canaries"
    folder.mkdir()
    return folder


@pytest.fixture
def hostile(tmp_path: Path, canaries: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base with a remote, a memory and a session, and every program set.

    It is made once and copied: forty commands of git take longer than the test.
    """
    return copied(_make, tmp_path, tmp_path_factory)


_MADE: dict[str, Path] = {}


def copied(make: Callable[[Path], object], folder: Path, factory: pytest.TempPathFactory) -> Path:
    """Have `make` fill a folder once, copy that into `folder`, and return the shop in it."""
    if make.__name__ not in _MADE:
        _MADE[make.__name__] = factory.mktemp("made")
        make(_MADE[make.__name__])
    made = _MADE[make.__name__]
    shutil.copytree(made, folder, symlinks=True, dirs_exist_ok=True)
    for path in (*folder.glob("*/.git/config"), *folder.glob("canaries/*")):
        path.write_text(path.read_text().replace(str(made), str(folder)))
    return folder / "shop"


def _make(folder: Path) -> None:
    top, canaries = folder / "shop", folder / "canaries"
    canaries.mkdir()
    git(folder, "init", "-q", "-b", "main", "shop")
    (top / "calmkb.toml").write_text("")
    calmkb(top, "wrapup", "--summary", "Moved the tests.", "--friction", "npm test hung.")
    calmkb(top, "memory", "add", "--category", "workflow", MEMORY)
    calmkb(top, "export")
    git(top, "add", ".")
    git(top, "commit", "-qm", "begin")
    git(folder, "clone", "-q", "--bare", "shop", "shop.git")
    git(top, "remote", "add", "origin", str(folder / "shop.git"))
    git(top, "fetch", "-q")
    (top / ".gitattributes").write_text("* filter=all diff=all merge=all\n")
    for key in PLACES:
        name = key.split(".")[-1] if key.startswith(("remote", "uploadpack")) else key
        git(top, "config", key, shlex.quote(str(canary(canaries, name))))
    git(top, "config", "log.showSignature", "true")
    git(top, "config", "core.hooksPath", str(canaries))
    git(top, "config", "protocol.ext.allow", "always")
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-push"):
        canary(canaries, hook)


def canary(folder: Path, name: str) -> Path:
    """Return a program that writes down that it ran."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho ran >> "{folder}/ran-{name}"\nexit 1\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def calmkb(folder: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    return without_terminal(*args, cwd=folder, person=True)


def started(folder: Path, *args: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Start Python anew: it looks for programs itself."""
    return subprocess.run(
        [sys.executable, "-c", AS_A_PERSON, *args], cwd=folder, capture_output=True, text=True,
        timeout=120, check=False, stdin=subprocess.DEVNULL, env=os.environ | env,
    )  # fmt: skip


def ran(canaries: Path) -> set[str]:
    return {path.name.removeprefix("ran-") for path in canaries.glob("ran-*")}


def test_git_itself_runs_the_programs(hostile: Path, canaries: Path) -> None:
    (hostile / "CLAUDE.md").write_text("edited")
    subprocess.run(["git", "status"], cwd=hostile, capture_output=True, timeout=60, check=False)
    assert {"core.fsmonitor", "filter.all.process"} & ran(canaries)


@pytest.mark.parametrize(
    "command",
    [
        "wrapup --summary Twice",
        "session list",
        "session show {session}",
        "search pnpm",
        "stats",
        "check",
        "doctor",
        "export",
        "export --check",
        "memory list",
        "memory show {memory}",
        "memory report --stale",
        "memory retire {memory} --reason gone",
        "memory add --category fact Two",
        "improvements list",
        "reflect --json",
        "reflect --dry-run",
        "reflect --pr --dry-run",
        "hooks on --project",
        "init .",
        "site build",
        "site check",
        "statusline",
        "private write --project-notes doubts",
    ],
)
def test_no_command_runs_a_program_of_the_repositorys_settings(
    hostile: Path,
    canaries: Path,
    command: str,
    cli,  # noqa: F811
    monkeypatch,
) -> None:
    names = {
        "memory": next((hostile / "journal/memories").rglob("*.md")).stem[-8:],
        "session": next((hostile / "journal/sessions").rglob("*.md")).stem[-8:],
    }
    monkeypatch.chdir(hostile)
    done = cli(*[word.format(**names) for word in command.split()])
    assert done.code in (0, 1), done.err
    assert "No such" not in done.err
    assert ran(canaries) == set()


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "PreCompact", "Stop"])
def test_no_hook_runs_one(hostile: Path, canaries: Path, event: str) -> None:
    said = json.dumps({"session_id": "s", "cwd": str(hostile), "source": "startup"})
    assert without_terminal("hook", event, "--export", said=said, cwd=hostile).returncode == 0
    assert ran(canaries) == set()


@pytest.fixture
def behind(tmp_path: Path, canaries: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without what the network needs, its remote ahead by one record."""

    def make_behind(folder: Path) -> None:
        top = copied(_make, folder, tmp_path_factory)
        for key in ("uploadpack", "receivepack"):
            git(top, "config", "--unset", f"remote.origin.{key}")
        git(folder, "clone", "-q", "shop.git", "other")
        calmkb(folder / "other", "wrapup", "--summary", "Written elsewhere.")
        git(folder / "other", "push", "-q")

    return copied(make_behind, tmp_path, tmp_path_factory)


def test_a_sync_runs_no_filter_merge_driver_or_hook(behind: Path, canaries: Path) -> None:
    (behind / ".gitattributes").write_text("*.bin filter=all\n* diff=all merge=all\n")
    calmkb(behind, "wrapup", "--summary", "Written here.")
    done = calmkb(behind, "sync")
    assert done.returncode == 0, done.stderr
    assert ran(canaries) <= NETWORK | {"core.alternateRefsCommand"}
    assert len(list((behind / "journal/sessions").rglob("*.md"))) == 3


@pytest.mark.parametrize("place", ["remote.origin.url", "branch.main.remote"])
def test_a_remote_that_is_a_program_is_never_run(behind: Path, canaries: Path, place: str) -> None:
    git(behind, "config", place, f"ext::{canary(canaries, 'address')} %S")
    done = calmkb(behind, "sync")
    assert (done.returncode, "ext" in done.stderr) == (1, True), done.stderr
    done = calmkb(behind, "reflect", "--pr")
    assert "Traceback" not in done.stderr
    assert "address" not in ran(canaries)


@pytest.mark.parametrize(
    "command",
    [
        ("log", "-p", "-1"),
        ("show", "HEAD"),
        ("diff", "HEAD"),
        ("diff", "HEAD~1", "HEAD"),
        ("blame", "calmkb.toml"),
        ("status",),
        ("ls_files", "--modified"),
        ("grep", "--no-textconv", "pnpm"),
        ("cat_file", "blob", "HEAD:calmkb.toml"),
        ("rev_parse", "HEAD"),
        ("config", "--list"),
        ("for_each_ref",),
        ("commit_tree", "-m", "x", "HEAD^{tree}"),
        ("update_ref", "refs/calmkb/x", "HEAD"),
        ("fetch", "origin"),
        ("push", "origin", "HEAD:refs/heads/x"),
    ],
    ids=lambda words: words[0],
)
def test_the_door_runs_no_program_whatever_goes_through_it(
    behind: Path, canaries: Path, command: tuple[str, ...]
) -> None:
    (behind / "calmkb.toml").write_text("# edited\n")
    repository = find_repository(behind)
    assert repository is not None
    door = unfiltered(repository)
    name, *words = command
    with contextlib.suppress(GitFailedError):
        getattr(door, name)(*words)
    assert ran(canaries) <= {"core.alternateRefsCommand"}


def test_what_would_go_through_a_filter_of_the_settings_is_left_to_git(
    behind: Path, canaries: Path
) -> None:
    done = calmkb(behind, "sync")
    assert (done.returncode, "goes through the filter 'all'" in done.stderr) == (1, True)
    assert ran(canaries) <= NETWORK | {"core.alternateRefsCommand"}


def test_a_filter_whose_name_would_escape_the_options_is_refused(
    behind: Path, canaries: Path
) -> None:
    git(behind, "config", "filter.a=b.smudge", shlex.quote(str(canary(canaries, "odd"))))
    (behind / ".gitattributes").write_text("")
    done = calmkb(behind, "sync")
    assert (done.returncode, "filter 'a=b'" in done.stderr) == (1, True)
    assert "odd" not in ran(canaries)


def test_edits_are_seen_without_asking_git_for_the_status(hostile: Path, canaries: Path) -> None:
    path = next((hostile / "journal/memories").rglob("*.md"))
    path.write_text(path.read_text() + "mine\n")
    done = calmkb(hostile, "memory", "retire", path.stem[-8:], "--reason", "gone")
    assert (done.returncode, "has uncommitted changes" in done.stderr) == (1, True)
    assert path.read_text().endswith("mine\n")
    assert ran(canaries) == set()


@pytest.mark.skipif(os.name == "nt", reason="a shell script as git")
def test_a_git_in_the_current_folder_is_never_run(hostile: Path, canaries: Path) -> None:
    for folder in (hostile, hostile / "bin"):
        folder.mkdir(exist_ok=True)
        for name in ("git", "gh", "ssh", "claude", "calmkb"):
            canary(canaries, "path").rename(folder / name)
    relative = ("", ".", "bin", "./bin", ".", "")
    path = os.pathsep.join((*relative, os.environ["PATH"]))
    for command in ("wrapup --summary x", "export", "doctor", "sync", "reflect --analysts --json"):
        started(hostile, *command.split(), PATH=path)
    assert "path" not in ran(canaries)


def test_programs_are_found_in_the_absolute_folders_of_the_path_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    for name in ("tool", "bin/tool"):
        canary(tmp_path, name)
    found = str(tmp_path / "bin" / "tool")
    assert find_program("tool", os.pathsep.join(["", ".", "bin"])) is None
    assert find_program("tool", os.pathsep.join([".", str(tmp_path / "bin")])) == found
    assert full_command(["tool", "-x"], str(tmp_path / "bin")) == [found, "-x"]
    assert full_command(["./tool", "-x"], "") == ["./tool", "-x"]
    with pytest.raises(FileNotFoundError):
        full_command(["tool"], "bin")


def test_windows_finds_a_program_by_its_extensions() -> None:
    extensions = (".COM", ".EXE", ".BAT", "")
    assert candidates("git", extensions) == ["git.COM", "git.EXE", "git.BAT"]
    assert candidates("git.exe", extensions) == ["git.exe"]
    assert candidates("git", ()) == ["git"]


def test_git_gets_a_path_without_the_current_folder(repo: Path, canaries: Path) -> None:
    git(repo, "config", "alias.where", '!printf %s "$PATH"')
    assert "::" not in Git(repo).where()
