"""Review by pull request, between two clones and a bare repository."""

import json
import os
import signal
import stat
import subprocess
import sys

import pytest

from tests.conftest import git

PNPM = "`npm test` hung: the project uses pnpm, and the lock file was rewritten."
DOCKER = "The end-to-end job needs the database container; nothing said so."


@pytest.fixture
def team(tmp_path, cli, monkeypatch):
    """Return a function that goes to one of two clones; the first holds two sessions."""
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")

    def at(name):
        if not (tmp_path / name).exists():
            git(tmp_path, "clone", "-q", "team.git", name)
        monkeypatch.chdir(tmp_path / name)
        return tmp_path / name

    one = at("one")
    (one / "calmkb.toml").write_text('project = "shop"\n')
    git(one, "add", ".")
    git(one, "commit", "-qm", "begin")
    git(one, "push", "-q", "origin", "HEAD:main")
    for friction in (PNPM, DOCKER):
        assert cli("wrapup", "--summary", "Worked.", "--friction", friction).code == 0
    return at


def ids(cli):
    return {p["text"]: p["id"] for p in json.loads(cli("reflect", "--json").out)["proposals"]}


def branches(tmp_path):
    listed = git(tmp_path / "team.git", "for-each-ref", "--format=%(refname:short)",
                 "refs/heads/calmkb")  # fmt: skip
    return listed.split()


def merge(tmp_path, branch, how="merge"):
    """Merge a branch of the bare repository as a git host does, in a clone of the host's own."""
    host = tmp_path / f"host-{branch.replace('/', '-')}"
    git(tmp_path, "clone", "-q", "team.git", str(host))
    git(host, "config", "user.email", "merger@example.org")
    if how == "merge":
        git(host, "merge", "-q", "--no-ff", "-m", "Merge", f"origin/{branch}")
    elif how == "squash":
        git(host, "merge", "-q", "--squash", f"origin/{branch}")
        git(host, "commit", "-qm", "Squashed (#3)")
    else:
        (host / "other.txt").write_text("meanwhile\n")
        git(host, "add", ".")
        git(host, "commit", "-qm", "Meanwhile")
        git(host, "cherry-pick", f"origin/{branch}")
    git(host, "push", "-q", "origin", "HEAD:main")


def test_a_pull_request_to_a_relative_address_names_the_branch_that_it_is_for(
    tmp_path, cli, monkeypatch
):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    git(tmp_path, "clone", "-q", "team.git", "one")
    git(tmp_path / "one", "remote", "set-url", "origin", "../team.git")
    monkeypatch.chdir(tmp_path / "one")
    git(tmp_path / "one", "commit", "-q", "--allow-empty", "-m", "begin")
    assert cli("init", "--place", "branch").code == 0
    assert cli("wrapup", "--summary", "Worked.", "--friction", PNPM).code == 0
    assert cli("sync").code == 0
    said = cli("reflect", "--pr")
    (branch,) = branches(tmp_path)
    assert said.code == 0, said.err
    assert f"Open a pull request from {branch} into calmkb-journal." in said.out
    git(tmp_path / "team.git", "branch", "-D", branch)
    assert f"{branch}: 0 approved, 1 rejected" in cli("sync").out


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
def test_merging_approves_closing_rejects_and_nothing_comes_back(team, cli, tmp_path, how):
    one = team("one")
    before = ids(cli)
    for text in (PNPM, DOCKER):
        said = cli("reflect", "--pr", "--only", before[text])
        assert (said.code, "with 1 proposal." in said.out) == (0, True), said.err
    assert git(one, "status", "--porcelain") == "" and git(one, "branch").strip() == "* main"
    assert ids(cli) == {}
    assert cli("reflect").out == "2 already known, not asked again.\n2 wait in a pull request.\n"
    first, second = sorted(branches(tmp_path), key=lambda b: "npm" not in git(
        tmp_path / "team.git", "show", b))  # fmt: skip
    merge(tmp_path, first, how)
    git(tmp_path / "team.git", "branch", "-D", second)

    team("two")
    git(tmp_path / "two", "log", "-1")
    team("one")
    said = cli("sync")
    assert said.code == 0, said.err
    assert f"{first}: 1 approved, 0 rejected" in said.out
    assert f"{second}: 0 approved, 1 rejected" in said.out
    assert ids(cli) == {}
    assert cli("reflect").out == "No unreflected sessions to process.\n"
    records = [p.read_text() for p in (one / "journal/reflections").rglob("*.md")]
    assert sum("closed without being merged" in text for text in records) == 1
    reviewer = "merger@example.org" if how != "rebase" else "ada@example.org"
    assert any(f"reviewed_by: {reviewer}" in text and PNPM in text for text in records)
    assert cli("export").code == 0
    text = (one / "CLAUDE.md").read_text()
    assert "pnpm" in text and "database container" not in text
    assert cli("sync").out == "origin: pulled 0, pushed 0\n"

    team("two")
    assert cli("sync").code == 0
    assert ids(cli) == {} and cli("check").code == 0
    assert cli("reflect").out == "No unreflected sessions to process.\n"
    assert len(records) == len(list((tmp_path / "two/journal/reflections").rglob("*.md")))


def test_the_other_clone_records_it_where_it_saw_the_branch(team, cli, tmp_path):
    team("one")
    cli("reflect", "--pr")
    two = team("two")
    cli("sync")
    (branch,) = branches(tmp_path)
    assert "2 wait in a pull request." in cli("reflect").out
    git(tmp_path / "team.git", "branch", "-D", branch)
    assert f"{branch}: 0 approved, 2 rejected" in cli("sync").out
    team("one")
    assert "rejected" not in cli("sync").out
    assert len(list((two / "journal/reflections").rglob("*.md"))) == 1
    assert ids(cli) == {}


def test_a_file_taken_out_of_the_branch_is_rejected_and_an_edited_one_approved(team, cli, tmp_path):
    one = team("one")
    cli("reflect", "--pr")
    (branch,) = branches(tmp_path)
    host = tmp_path / "reviewer"
    git(tmp_path, "clone", "-q", "-b", branch, "team.git", str(host))
    for path in (host / "journal/memories").rglob("*.md"):
        if "database" in path.name:
            path.unlink()
        else:
            path.write_text(path.read_text().replace(PNPM, "Use pnpm for every script.", 1))
    git(host, "commit", "-qam", "Review")
    git(host, "push", "-q")
    merge(tmp_path, branch)
    assert f"{branch}: 1 approved, 1 rejected" in cli("sync").out
    (record,) = (one / "journal/reflections").rglob("*.md")
    assert "Use pnpm for every script." in record.read_text()
    assert "taken out before the merge" in record.read_text()
    assert ids(cli) == {} and cli("reflect").out == "No unreflected sessions to process.\n"


def test_the_digest_that_is_tracked_goes_along(team, cli, tmp_path):
    one = team("one")
    cli("memory", "add", "Prices are in cents.", "--category", "fact")
    cli("export")
    git(one, "add", "CLAUDE.md")
    git(one, "commit", "-qm", "digest")
    git(one, "push", "-q", "origin", "HEAD:main")
    assert cli("reflect", "--pr").code == 0
    (branch,) = branches(tmp_path)
    files = git(tmp_path / "team.git", "diff", "--name-only", f"main...{branch}").split()
    assert [f.split("/")[1] if "/" in f else f for f in sorted(files)] == [
        "CLAUDE.md", "memories", "memories"]  # fmt: skip
    body = git(tmp_path / "team.git", "log", "-1", "--format=%B", branch)
    assert "What the agent reads: about" in body and "\n+- " in body


GH = """#!/bin/sh
printf '%s\\n' "$@" > "{folder}/gh-arguments"
case "$2" in
  create) cat > "{folder}/gh-body"; {create} ;;
  list) echo '{listed}' ;;
esac
"""


def install_gh(
    tmp_path, monkeypatch, create="echo https://github.com/team/shop/pull/7", listed="[]"
):
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    gh = folder / "gh"
    gh.write_text(GH.format(folder=folder, create=create, listed=listed))
    gh.chmod(gh.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def test_gh_opens_the_request_where_it_is_installed_and_says_when_it_was_closed(
    team, cli, tmp_path, monkeypatch
):
    folder = install_gh(tmp_path, monkeypatch)
    team("one")
    said = cli("reflect", "--pr")
    assert "Pull request: https://github.com/team/shop/pull/7" in said.out
    body = (folder / "gh-body").read_text()
    assert "- [x] 2. " in body and "### 2. " in body
    assert "2 learnings from 2 sessions" in (folder / "gh-arguments").read_text()
    assert "rejected" not in cli("sync").out
    install_gh(tmp_path, monkeypatch, listed='[{"state": "CLOSED"}]')
    assert "0 approved, 2 rejected" in cli("sync").out


def test_an_unticked_box_turns_one_down_and_a_comment_says_why(team, cli, tmp_path, monkeypatch):
    folder = install_gh(tmp_path, monkeypatch)
    one = team("one")
    cli("reflect", "--pr")
    (branch,) = branches(tmp_path)
    body = (folder / "gh-body").read_text()
    number = next(line for line in body.splitlines() if "database container" in line)[6]
    row = {
        "state": "MERGED",
        "body": body.replace(f"- [x] {number}.", f"- [ ] {number}."),
        "comments": [
            {"body": f"{number}: it runs by itself now", "authorAssociation": "MEMBER"},
            {"body": f"{number}: free coins", "authorAssociation": "NONE"},
        ],
    }
    (folder / "answer.json").write_text(json.dumps([row]))
    (folder / "gh").write_text(f'#!/bin/sh\ncat "{folder}/answer.json"\n')
    merge(tmp_path, branch)
    assert f"{branch}: 1 approved, 1 rejected" in cli("sync").out
    (record,) = (one / "journal/reflections").rglob("*.md")
    assert "it runs by itself now" in record.read_text()
    assert "coins" not in record.read_text()
    assert len(list((one / "journal/memories").rglob("*.md"))) == 1
    assert git(one, "status", "--porcelain") == ""
    assert git(one, "log", "origin/main..HEAD") == ""
    assert ids(cli) == {}
    assert cli("check").code == 0


def test_the_last_comment_says_why_a_request_was_closed(team, cli, tmp_path, monkeypatch):
    comments = [{"body": "Not\nnow.", "authorAssociation": "OWNER"}]
    listed = json.dumps([{"state": "CLOSED", "body": "", "comments": comments}])
    install_gh(tmp_path, monkeypatch)
    one = team("one")
    cli("reflect", "--pr")
    install_gh(tmp_path, monkeypatch, listed=listed.replace("\\n", " "))
    assert "0 approved, 2 rejected" in cli("sync").out
    (record,) = (one / "journal/reflections").rglob("*.md")
    assert record.read_text().count("Not now.") == 2


def test_where_the_host_cannot_be_asked_it_says_that_boxes_were_not_seen(
    team, cli, tmp_path, monkeypatch
):
    folder = install_gh(tmp_path, monkeypatch)
    team("one")
    cli("reflect", "--pr")
    (branch,) = branches(tmp_path)
    (folder / "gh").write_text("#!/bin/sh\nexit 4\n")
    merge(tmp_path, branch)
    said = cli("sync").out
    assert f"{branch}: 2 approved, 0 rejected" in said
    assert "boxes that were unticked there were not seen" in said


def test_where_gh_fails_the_page_that_opens_one_is_named(team, cli, tmp_path, monkeypatch):
    install_gh(tmp_path, monkeypatch, create="echo 'not logged in' >&2; exit 4")
    one = team("one")
    git(one, "config", "url." + str(tmp_path / "team.git") + ".insteadOf",
        "https://github.com/team/shop.git")  # fmt: skip
    git(one, "remote", "set-url", "origin", "https://github.com/team/shop.git")
    said = cli("reflect", "--pr")
    assert (said.code, "gh opened none: not logged in" in said.err) == (0, True), said.err


def test_a_dry_run_shows_the_request_and_pushes_nothing(team, cli, tmp_path):
    team("one")
    said = cli("reflect", "--pr", "--dry-run")
    assert "-> main: 2 learnings from 2 sessions" in said.out
    assert branches(tmp_path) == []
    assert len(ids(cli)) == 2


def test_the_request_says_what_merging_replaces(team, cli, tmp_path):
    team("one")
    cli("memory", "add", "Use npm for scripts in shop, not pnpm.", "--category", "workflow",
        "--scope", "shop")  # fmt: skip
    cli("wrapup", "--summary", "Worked.", "--learning", "Use pnpm for scripts in shop, not npm.")
    said = cli("reflect", "--pr", "--dry-run")
    assert "**Look twice.** Merging replaces the memory " in said.out
    assert "Use npm for scripts in shop, not pnpm." in said.out


@pytest.mark.parametrize("only", ["P-000", "P-"])
def test_an_id_that_fits_none_or_several_is_refused(team, cli, tmp_path, only):
    team("one")
    said = cli("reflect", "--pr", "--only", only)
    assert (said.code, f"{only!r} fits " in said.err) == (1, True)
    assert branches(tmp_path) == []


def test_a_remote_that_refuses_leaves_nothing_behind(team, cli, tmp_path):
    one = team("one")
    cli("sync")
    hook = tmp_path / "team.git/hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho 'branches are protected' >&2\nexit 1\n")
    hook.chmod(0o755)
    said = cli("reflect", "--pr")
    assert (said.code, "branches are protected" in said.err) == (1, True)
    assert len(ids(cli)) == 2
    assert git(one, "for-each-ref", "refs/calmkb") == ""


def test_a_kill_in_the_middle_of_a_push_turns_nothing_down(team, cli, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs a POSIX system")
    one = team("one")
    cli("sync")
    before = ids(cli)
    os.mkfifo(tmp_path / "arrived")
    hook = tmp_path / "team.git/hooks/pre-receive"
    hook.write_text(f'#!/bin/sh\ncat > /dev/null\necho > "{tmp_path}/arrived"\nsleep 600\n')
    hook.chmod(0o755)
    child = subprocess.Popen([sys.executable, "-m", "calmkb", "reflect", "--pr"], cwd=one,
                             start_new_session=True, stdout=subprocess.DEVNULL)  # fmt: skip
    (tmp_path / "arrived").read_bytes()
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    hook.unlink()
    assert branches(tmp_path) == []
    assert "rejected" not in cli("sync").out
    assert ids(cli) == before
    assert cli("reflect", "--pr").code == 0 and len(branches(tmp_path)) == 1


def test_a_secret_in_a_branch_that_was_closed_does_not_come_into_the_record(team, cli, tmp_path):
    one = team("one")
    cli("reflect", "--pr")
    (branch,) = branches(tmp_path)
    host = tmp_path / "pusher"
    git(tmp_path, "clone", "-q", "-b", branch, "team.git", str(host))
    secret = "gh" + "p_" + "c4N4ryC4n4ry" * 3
    for path in (host / "journal/memories").rglob("*.md"):
        path.write_text(path.read_text().replace(PNPM, f"Log in with {secret} first."))
    git(host, "commit", "-q", "--amend", "--no-edit", "-a")
    git(host, "push", "-qf")
    cli("sync")
    git(tmp_path / "team.git", "branch", "-D", branch)
    assert "0 approved, 2 rejected" in cli("sync").out
    (record,) = (one / "journal/reflections").rglob("*.md")
    assert secret not in record.read_text() and "redacted" in record.read_text()
