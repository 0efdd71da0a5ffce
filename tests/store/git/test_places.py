"""Which paths are really below a folder: links that lead out, links of a person's own."""

import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from calmkb.errors import StoreError
from calmkb.system.files import write_atomically
from calmkb.system.paths import is_link
from calmkb.system.safe_paths import check_place, follow_inside


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "docs").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return folder


def test_a_path_below_the_folder_is_a_place_whether_it_exists_or_not(top: Path) -> None:
    assert check_place(top / "docs", top) == top / "docs"
    assert check_place(top / "new/deep/file.md", top) == top / "new/deep/file.md"


@pytest.mark.parametrize("target", ["../outside", "../nothing", "docs", "."])
def test_a_link_below_the_folder_is_no_place_to_write(top: Path, target: str) -> None:
    (top / "site").symlink_to(target)
    for path in (top / "site", top / "site/index.html"):
        with pytest.raises(StoreError, match=r"site is a symbolic link"):
            check_place(path, top)


def test_a_link_that_leads_to_the_folder_is_a_persons_own(top: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(top)
    linked = tmp_path / "linked"
    assert check_place(linked / "docs/x", top) == top / "docs/x"
    assert check_place(top / "docs/x", linked) == top / "docs/x"
    assert follow_inside(linked / "docs/x", linked) == top / "docs/x"


@pytest.mark.parametrize("path", ["../outside/x", "docs/../../outside", "../repository/x"])
def test_a_path_outside_the_folder_is_no_place(top: Path, path: str) -> None:
    for check in (check_place, follow_inside):
        with pytest.raises(StoreError, match="is outside"):
            check(top / path, top)


@pytest.mark.parametrize("path", [".git/config", ".GIT/hooks/x", "docs/.git/config", "git~1/x"])
def test_the_folder_of_git_is_no_place(top: Path, path: str) -> None:
    with pytest.raises(StoreError, match="git's own"):
        check_place(top / path, top)


def test_a_link_that_stays_below_the_folder_is_followed_where_that_is_allowed(top: Path) -> None:
    (top / "AGENTS.md").write_text("")
    (top / "CLAUDE.md").symlink_to("AGENTS.md")
    assert follow_inside(top / "CLAUDE.md", top) == top / "AGENTS.md"


@pytest.mark.parametrize("target", ["../outside/x", ".git/config"])
def test_a_link_that_leads_out_or_into_git_is_not_followed(top: Path, target: str) -> None:
    (top / ".git").mkdir()
    (top / ".git/config").write_text("")
    (top / "CLAUDE.md").symlink_to(target)
    with pytest.raises(StoreError, match=r"outside|git's own"):
        follow_inside(top / "CLAUDE.md", top)


def test_a_write_inside_a_folder_makes_nothing_behind_a_link(top: Path, tmp_path: Path) -> None:
    (top / "docs/deep").symlink_to(tmp_path / "outside")
    with pytest.raises(StoreError, match="symbolic link"):
        write_atomically(top / "docs/deep/new/file.md", b"text", inside=top)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_junction_of_windows_is_a_link() -> None:
    folder = SimpleNamespace(st_mode=stat.S_IFDIR | 0o755, st_reparse_tag=0xA0000003)
    plain = SimpleNamespace(st_mode=stat.S_IFDIR | 0o755, st_reparse_tag=0)
    assert is_link(folder)  # type: ignore[arg-type]
    assert not is_link(plain)  # type: ignore[arg-type]
