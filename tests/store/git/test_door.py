"""The one door to git: processes in a clean environment, and what is read without them."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.git import refs
from calmkb.store.git.remotes import push
from calmkb.store.git.repository import (
    close_repositories,
    find_repository,
    git_in,
)
from tests.conftest import git
from tests.people import AS_A_PERSON
from tests.store.writing import opened, write
from tests.warm import without_terminal

FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE")


def python(code: str, folder: Path, *args: str, **env: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code, *args], cwd=folder, env=os.environ | env,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def person(folder: Path, *args: str) -> None:
    """Run a command for what it leaves behind, at whose imports nobody looks."""
    done = without_terminal(*args, cwd=folder, said="{}", person=True)
    assert "Traceback" not in done.stderr


LOADS = """
import os, sys
from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
for line in sys.argv[1:]:
    if child := os.fork() if hasattr(os, "fork") else 0:
        os.waitpid(child, 0)
        continue
    os.lseek(0, 0, os.SEEK_SET)
    code = run(calmkb, line.split(), person=True)
    print(f"\\n{line}", code, *sys.modules, sep="\\t", flush=True)
    os._exit(0)
"""
"""A program that runs each command in a process that has imported the command line alone."""


def loads(folder: Path, *commands: str) -> dict[str, set[str]]:
    """Return for each command its exit code and the names of what its process had imported."""
    found: dict[str, set[str]] = {}
    for words in [commands] if hasattr(os, "fork") else [(one,) for one in commands]:
        with tempfile.TemporaryFile("w+") as said:
            said.write("{}")
            said.flush()
            done = subprocess.run(
                [sys.executable, "-c", LOADS, *words], cwd=folder, stdin=said,
                capture_output=True, text=True, check=True, timeout=120,
            )  # fmt: skip
        assert "Traceback" not in done.stderr
        rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
        found |= {row[0]: set(row[1:]) for row in rows if row[0] in commands}
    assert found.keys() == set(commands)
    return found


def other_repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make one more repository and set every variable that leads git there."""
    git(folder, "init", "-q", "other")
    places = (".git", "", ".git", ".git/objects", ".git/index")
    for name, place in zip(FOREIGN, places, strict=True):
        monkeypatch.setenv(name, str(folder / "other" / place))
    return folder / "other"


def test_variables_of_another_repository_lead_nowhere_and_stay_as_they_are(
    repo, tmp_path, monkeypatch
):
    other = other_repository(tmp_path, monkeypatch)
    repository = find_repository(repo)
    assert repository is not None
    assert repository.repo.working_dir == str(repo)
    assert Path(repository.repo.git_dir) == repo / ".git"
    assert repository.git.rev_parse("--show-toplevel") == str(repo)
    write(repo)
    assert {name: name in os.environ for name in FOREIGN} == dict.fromkeys(FOREIGN, True)
    for name in FOREIGN:
        monkeypatch.delenv(name)
    assert "journal/sessions/a.md" in git(repo, "ls-files").split()
    assert git(other, "for-each-ref") == git(other, "ls-files") == ""


@pytest.mark.skipif(os.name == "nt", reason="a shell script as git")
def test_the_import_starts_no_git_and_leaves_the_environment_as_it_was(tmp_path):
    (tmp_path / "git").write_text(f"#!/bin/sh\necho ran > {tmp_path}/ran\n")
    (tmp_path / "git").chmod(0o755)
    code = (
        "import os; before = dict(os.environ)\n"
        "import calmkb.store.git.remotes\n"
        "assert dict(os.environ) == before"
    )
    done = python(code, tmp_path, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "ran").exists()


def test_git_runs_in_the_folder_that_is_named_and_in_no_other(repo, tmp_path, monkeypatch):
    monkeypatch.chdir(repo)
    with pytest.raises(StoreError, match="is not a folder"):
        git_in(tmp_path / "gone").status()
    odd = tmp_path / "$HOME"
    git(tmp_path, "init", "-q", "$HOME")
    assert git_in(odd).rev_parse("--show-toplevel") == str(odd)


def test_options_before_a_command_are_of_that_git_alone(repo):
    plain = opened(repo).git
    quiet = plain(c=["user.name=Somebody"])
    assert [quiet.config("user.name") for _ in range(2)] == ["Somebody"] * 2
    assert plain.config("user.name") == "Ada Reviewer"


def test_output_comes_byte_for_byte_and_input_goes_so(repo):
    data = b"\r\n\xff\0 text\n\n"
    door = opened(repo).git
    blob = door.hash_object("-w", "--stdin", istream=data)
    assert door.cat_file("blob", blob, stdout_as_string=False) == data
    with pytest.raises(GitFailedError, match=r"git cat-file failed in .*: fatal: ") as raised:
        door.cat_file("blob", "gone")
    assert raised.value.stderr.startswith("fatal: ")
    assert door.ask("rev-parse", "-q", "--verify", "gone") is None


def test_one_repository_is_open_at_a_time_and_closed_at_the_end(repo):
    assert opened(repo).repo is opened(repo).repo
    first = opened(repo).repo
    close_repositories()
    assert opened(repo).repo is not first


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_what_is_read_without_git_is_what_git_says(tmp_path, options):
    git(tmp_path, "init", "-q", "-b", "main", *options, "here")
    top = tmp_path / "here"

    def agree(folder: Path, *names: str) -> None:
        repository = opened(folder)
        head = git_in(folder).ask("symbolic-ref", "-q", "HEAD")
        assert refs.branch_in(repository.git_dir) == head == repository.attached_branch()
        at = git_in(folder).ask("rev-parse", "-q", "--verify", "HEAD")
        assert repository.tip("HEAD") == at
        for name in names:
            told = git_in(folder).ask("rev-parse", "-q", "--verify", name)
            assert refs.tip_in(repository.git_dir, name) == told == repository.tip(name), name

    agree(top, "refs/heads/main")
    write(top)
    git(top, "branch", "one/two")
    git(top, "tag", "-a", "-m", "x", "v1")
    git(top, "worktree", "add", "-q", "-b", "beside", str(tmp_path / "beside"))
    names = ("refs/heads/main", "refs/heads/one/two", "refs/heads/beside", "refs/heads/none")
    for folder in (top, tmp_path / "beside"):
        agree(folder, *names)
    git(top, "pack-refs", "--all")
    agree(top, *names)
    write(top, "journal/sessions/b.md")  # its own file now, beside an old line of the packed ones
    for folder in (top, tmp_path / "beside"):
        agree(folder, *names)
    git(top, "checkout", "-q", "--detach")
    agree(top, *names)


LIGHT = ["session list", "search npm", "statusline", "hook SessionStart --export",
         "hook UserPromptSubmit", "hook Stop", "hook SessionEnd", "export --check"]  # fmt: skip


def test_lists_search_status_line_and_hooks_start_no_git_and_do_not_import_gitpython(
    repo, tmp_path
):
    (repo / "calmkb.toml").touch()

    def with_git(folder: Path, *commands: str) -> list[str]:
        return [one for one, names in loads(folder, *commands).items() if "git.cmd" in names]

    assert with_git(repo, first := "wrapup --summary First. --friction npm") == [first]
    person(repo, "memory", "add", "--category", "fact", "Use pnpm.")
    person(repo, "session", "list")
    for turn in range(2):
        person(repo, "wrapup", "--summary", "Once more.")
        assert with_git(repo, *LIGHT) == [], turn
        git(repo, "gc", "-q")
    git(repo, "worktree", "add", "-q", str(tmp_path / "beside"))
    for folder in (tmp_path, tmp_path / "beside"):
        person(folder, "session", "list")
        assert with_git(folder, *LIGHT) == [], folder


UNUSED = {
    "memory list": ("yaml", "calmkb.model.memories.backtest"),
    "search --no-meaning npm": ("importlib.metadata", "calmkb.redact", "calmkb.capture"),
    "export": ("yaml", "calmkb.wings.proof.enforce.compile", "calmkb.reflect.opposites.compare"),
    "check": ("sklearn",),
    "wrapup --summary Again. --log none": ("calmkb.capture.condense", "calmkb.kb.signals.signals"),
    "show": ("asyncio", "filelock", "calmkb.wings.archive", "calmkb.wings.runs"),
}


def test_a_command_loads_nothing_that_it_does_not_use(repo, home):
    (repo / "calmkb.toml").touch()
    (repo / "CLAUDE.md").write_text("Format the code before a release.\n")
    python(AS_A_PERSON, repo, "memory", "add", "--category", "fact", "Use pnpm, not npm.")
    python(AS_A_PERSON, repo, "memory", "add", "--category", "fact", "Dates are in UTC.")
    python(AS_A_PERSON, repo, "session", "list")
    for command, said in loads(repo, *UNUSED).items():
        assert said & {"0", *UNUSED[command]} == {"0"}, command


def test_a_setting_that_a_person_edits_is_seen_at_once(repo, tmp_path, home):
    write(repo)
    assert opened(repo).identity() == ("Ada Reviewer", "ada@example.org")
    git(repo, "config", "user.name", "Bea")
    assert opened(repo).identity()[0] == "Bea"
    (tmp_path / "more").write_text("[user]\n\tname = Cleo\n")
    git(repo, "config", "include.path", str(tmp_path / "more"))
    assert opened(repo).identity()[0] == "Cleo"
    code = (
        "import sys; from pathlib import Path\n"
        "from calmkb.store.git.repository import find_repository\n"
        "print(find_repository(Path(sys.argv[1])).identity()[0], 'git.cmd' in sys.modules)"
    )
    (tmp_path / "more").write_text("[user]\n\tname = Dora\n")
    assert python(code, repo, str(repo)).stdout == "Dora True\n"
    git(repo, "config", "--unset", "include.path")
    assert python(code, repo, str(repo)).stdout == "Bea False\n"  # as it was before the include


def test_settings_that_an_older_version_noted_are_asked_for_again(repo):
    write(repo)  # makes the folder of notes
    assert opened(repo).setting("branch.main.remote") == ""
    git(repo, "config", "branch.main.remote", "team")
    assert opened(repo).setting("branch.main.remote") == "team"
    note = repo / ".git/calmkb/settings.json"
    kept = json.loads(note.read_text())
    del kept["values"]["branch.main.remote"]
    kept["state"][0] = kept["state"][0].replace("branch", "")
    note.write_text(json.dumps(kept))
    code = (
        "import sys; from pathlib import Path\n"
        "from calmkb.store.git.repository import find_repository\n"
        "print(find_repository(Path(sys.argv[1])).setting('branch.main.remote'))"
    )
    assert python(code, repo, str(repo)).stdout == "team\n"


def test_a_push_shows_how_far_it_is_and_says_why_it_was_refused(repo, tmp_path):
    git(tmp_path, "init", "-q", "--bare", "team.git")
    hook = tmp_path / "team.git/hooks/pre-receive"
    git(repo, "remote", "add", "origin", str(tmp_path / "team.git"))
    write(repo)
    steps: list[tuple[str, int, int]] = []
    spec = "refs/heads/main:refs/heads/main"
    assert push(opened(repo), "origin", spec, lambda *step: steps.append(step)) == ""
    assert {step for step, _, _ in steps} == {"Pushing"}
    assert any(0 < done == total for _, done, total in steps)
    write(repo, "journal/sessions/b.md")
    hook.write_text("#!/bin/sh\nprintf 'not on a fr\\351d\\303\\251ric day\\n' >&2\nexit 1\n")
    hook.chmod(0o755)
    refused = push(opened(repo), "origin", spec)
    assert "[remote rejected] (pre-receive hook declined)" in refused
    assert "not on a fr\ufffdd\u00e9ric day" in refused
    with pytest.raises(GitFailedError, match="does not appear to be a git repository"):
        git(repo, "remote", "set-url", "origin", str(tmp_path / "gone"))
        push(opened(repo), "origin", spec)


def test_a_repository_is_looked_for_once_a_command(repo):
    found = find_repository(repo)
    assert find_repository(repo) is found
    close_repositories()
    assert find_repository(repo) == found
    assert find_repository(repo) is not found


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a file system with pipes")
@pytest.mark.parametrize(
    "name", ["HEAD", "config", "index", "packed-refs", "info/exclude", "refs/heads/main"]
)
def test_a_pipe_that_git_would_wait_for_is_named(repo, name):
    place = repo / ".git" / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    with pytest.raises(StoreError, match=f"{place} is not a plain file"):
        git_in(repo).rev_parse("HEAD")
