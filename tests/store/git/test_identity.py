"""A repository is known by its remote or first commit, wherever it is checked out."""

import os
from pathlib import Path

import pytest

from calmkb.store.git.identity import identify, remote_identity
from calmkb.store.git.repository import find_repository
from tests.conftest import git


def identity_at(folder: Path):
    repository = find_repository(folder)
    assert repository is not None
    return identify(repository)


@pytest.mark.parametrize(
    "url",
    [
        "git@GitHub.com:acme/storefront.git",
        "github.com:acme/storefront",
        "ssh://git@github.com:22/acme/storefront.git",
        "https://github.com/acme/storefront.git/",
        "https://ada:gh-token@github.com/acme/storefront",
        "https://github.com:443/acme/storefront.git?x=1#y",
        "git://github.com//acme/storefront",
    ],
)
def test_all_forms_of_a_remote_are_one_repository_and_tell_no_user(url):
    found = remote_identity(url)
    assert (found.key, found.name) == ("github.com/acme/storefront", "storefront")


@pytest.mark.parametrize(
    ("key", "urls"),
    [
        ("github.com/acme/shop", ["git@github.com:Acme/Shop.git", "https://github.com/acme/shop",
                                  "ssh://git@ssh.github.com:443/acme/shop.git"]),
        ("gitlab.com/acme/web/shop", ["https://gitlab.com/Acme/web/shop.git",
                                      "ssh://git@altssh.gitlab.com:443/acme/web/shop.git"]),
        ("bitbucket.org/acme/shop", ["https://ada@bitbucket.org/acme/shop.git",
                                     "ssh://git@altssh.bitbucket.org:443/acme/shop.git"]),
        ("git.acme.dev/web/shop", ["https://git.acme.dev/scm/web/shop.git",
                                   "ssh://git@git.acme.dev:7999/WEB/shop.git"]),
        ("dev.azure.com/acme/web/shop", ["https://acme@dev.azure.com/acme/web/_git/shop",
                                         "git@ssh.dev.azure.com:v3/acme/web/shop",
                                         "https://acme.visualstudio.com/web/_git/shop",
                                         "acme@vs-ssh.visualstudio.com:v3/acme/web/shop",
                                         "https://acme.visualstudio.com/DefaultCollection/web/_git/shop"]),
        ("dev.azure.com/acme/my web/shop", ["https://dev.azure.com/acme/My%20Web/_git/shop",
                                            "git@ssh.dev.azure.com:v3/acme/My%20Web/shop"]),
        ("github.com/acme/shop", ["git@github.com-work:acme/shop", "git@github.com:acme/shop"]),
        ("git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop", [
            "codecommit::eu-west-1://work@shop", "codecommit::eu-west-1://shop",
            "ssh://git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop",
            "https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop"]),
        ("gerrit.acme.dev/web/shop", ["https://ada@gerrit.acme.dev/a/web/shop",
                                      "ssh://ada@gerrit.acme.dev:29418/web/shop"]),
        ("git.acme.dev/web/caf\u00e9", ["https://git.acme.dev/web/cafe\u0301.git",
                                       "https://git.acme.dev/web/caf%C3%A9",
                                       "git@git.acme.dev:web/caf\u00e9.git"]),
        ("github.com/a/shop", ["https://github.com/a/shop", "git@github.com:a/shop"]),
        ("dev.azure.com/acme/shop/shop", ["https://dev.azure.com/acme/_git/shop",
                                          "git@ssh.dev.azure.com:v3/acme/shop/shop"]),
    ],
)  # fmt: skip
def test_one_repository_has_one_key_by_every_way_that_its_host_offers(key, urls):
    assert {remote_identity(url).key.casefold() for url in urls} == {key}


@pytest.mark.parametrize(
    "url",
    ["", "/srv/git/shop.git", "../shop", "file:///srv/shop.git", "C:\\git\\shop", "https://host",
     "https://host/../../etc/passwd", "ext::sh -c id", "https://host/a b", "git@host:\n/x",
     "https://host/%2e%2e/x", "https://host/x%0ay"],
)  # fmt: skip
def test_what_names_no_repository_on_a_host_is_none(url):
    assert remote_identity(url) is None


def test_a_remote_is_known_as_git_opens_it(repo):
    git(repo, "remote", "add", "origin", "acme:shop.git")
    git(repo, "config", "url.https://git.acme.dev/.insteadOf", "ac")
    git(repo, "config", "url.git@git.acme.dev:Web/.insteadOf", "acme:")
    assert identify(find_repository(repo)).key == "git.acme.dev/Web/shop"


def test_worktrees_sub_folders_and_clones_are_one_repository(repo, tmp_path):
    git(repo, "remote", "add", "origin", "git@example.org:acme/storefront.git")
    git(repo, "worktree", "add", "-q", str(tmp_path / "shop-wt2"))
    git(tmp_path, "clone", "-q", str(repo), "myfork")
    (repo / "src" / "deep").mkdir(parents=True)
    found = {
        identity_at(place)
        for place in (repo, repo / "src/deep", tmp_path / "shop-wt2", tmp_path / "myfork")
    }
    assert [(one.key, one.name) for one in found] == [("example.org/acme/storefront", "storefront")]


def test_clones_without_a_host_share_the_first_commit_and_the_name(repo, tmp_path):
    git(tmp_path, "clone", "-q", "--bare", str(repo), "storefront.git")
    for name in ("alex", "bo"):
        git(tmp_path, "clone", "-q", str(tmp_path / "storefront.git"), name)
    git(tmp_path / "bo", "commit", "-q", "--allow-empty", "-m", "second")
    first = git(repo, "rev-parse", "HEAD")[:12]
    found = {identity_at(tmp_path / name) for name in ("alex", "bo")}
    assert [(one.key, one.name) for one in found] == [(f"root:{first}", "storefront")]
    assert identity_at(repo).key == f"root:{first}"


def test_a_repository_without_a_commit_or_cut_off_has_no_key(repo, tmp_path):
    git(repo, "commit", "-q", "--allow-empty", "-m", "second")
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "-q")
    assert identity_at(tmp_path / "new").key == ""
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo}", "shallow")
    git(tmp_path / "shallow", "remote", "remove", "origin")
    assert identity_at(tmp_path / "shallow").key == ""


def test_the_first_commit_is_walked_to_once(repo):
    (repo / ".git/calmkb").mkdir()
    key = identity_at(repo).key
    assert (repo / ".git/calmkb/root-commit").read_text() == key
    (repo / ".git/calmkb/root-commit").write_text("rubbish")
    assert identity_at(repo).key == key


def test_a_repository_whose_history_begins_again_is_another(repo):
    began = git(repo, "branch", "--show-current").strip()
    before = identity_at(repo)
    assert identity_at(repo) == before
    git(repo, "checkout", "-q", "--orphan", "again")
    git(repo, "commit", "-q", "--allow-empty", "-m", "begin again")
    assert identity_at(repo).key not in ("", before.key)
    git(repo, "checkout", "-q", began)
    assert identity_at(repo) == before


def test_a_clone_of_a_folder_that_git_may_not_open_is_known_by_its_first_commit(repo, tmp_path):
    git(tmp_path, "clone", "-q", str(repo), "storefront")
    (repo / ".git/calmkb").symlink_to(tmp_path)  # which we refuse, as git does other people's
    found = identity_at(tmp_path / "storefront")
    root = git(repo, "rev-list", "--max-parents=0", "HEAD")
    assert (found.key, found.name) == (f"root:{root[:12]}", "repo")
    if os.geteuid() == 0:
        (repo / ".git/calmkb").unlink()
        os.chown(repo, 65534, -1)
        os.chown(repo / ".git", 65534, -1)
        assert identity_at(tmp_path / "storefront") == found
