"""Several machines and one remote: nothing conflicts, nothing is lost."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from filelock import FileLock

from calmkb.errors import StoreError
from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.repository import find_repository
from calmkb.wings.sharing.git.sync import sync
from tests.conftest import git

AT = datetime(2026, 10, 19, 14, 22, 33, tzinfo=UTC)


@pytest.fixture
def machines(tmp_path):
    """Return two clones of one bare repository, and a function that clones once more."""
    bare = tmp_path / "team.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))

    def clone(name):
        git(tmp_path, "clone", "-q", str(bare), name)
        return tmp_path / name

    one = clone("one")
    (one / "code.py").write_text("print('hello')\n")
    git(one, "add", ".")
    git(one, "commit", "-qm", "code")
    git(one, "push", "-q", "origin", "HEAD:main")
    return one, clone("two"), clone


def write(folder: Path, path: str, data: bytes | None = b"x\n"):
    repository = find_repository(folder)
    return commit(repository, Change({f"journal/{path}": data}, f"wrapup: {path}", AT))


def share(folder: Path):
    repository = find_repository(folder)
    return sync(repository, "journal", FileLock(repository.git_dir / "calmkb-test.lock"))


def edited_by_both(one: Path, two: Path, base: bytes, ours: bytes | None, theirs: bytes | None):
    """A memory that both have, and edit or retire; the first has shared what it did."""
    write(one, "memories/error/a.md", base)
    share(one)
    share(two)
    write(one, "memories/error/a.md", ours)
    write(two, "memories/error/a.md", theirs)
    share(one)


def files(folder: Path) -> dict[str, bytes]:
    paths = sorted((folder / "journal").rglob("*.md"))
    return {path.relative_to(folder / "journal").as_posix(): path.read_bytes() for path in paths}


def clean(folder: Path) -> bool:
    return git(folder, "status", "--porcelain") == ""


def test_two_machines_that_wrote_offline_have_everything_after_a_sync_each(machines):
    one, two, _ = machines
    for number in range(3):
        write(one, f"sessions/one-{number}.md")
        write(two, f"sessions/two-{number}.md")
    assert (share(one).pulled, share(two).pushed, share(one).pulled) == (0, 3, 3)
    assert files(one) == files(two)
    assert len(files(one)) == 6
    assert clean(one) and clean(two)
    assert git(one, "rev-parse", "HEAD") == git(two, "rev-parse", "HEAD")
    assert len(git(one, "log", "--format=%H", "--", "journal").split()) == 6


def test_work_in_progress_is_left_as_it_was(machines):
    one, two, _ = machines
    write(two, "sessions/two.md")
    share(two)
    write(one, "sessions/one.md")
    (one / "staged.py").write_text("staged\n")
    git(one, "add", "staged.py")
    (one / "code.py").write_text("edited\n")
    (one / "loose.txt").write_text("loose\n")
    before = git(one, "status", "--porcelain"), git(one, "diff"), git(one, "diff", "--cached")
    share(one)
    after = git(one, "status", "--porcelain"), git(one, "diff"), git(one, "diff", "--cached")
    assert after == before
    assert set(files(one)) == {"sessions/one.md", "sessions/two.md"}


def test_uncommitted_changes_in_the_way_stop_the_sync_and_nothing_moves(machines):
    one, two, _ = machines
    (two / "code.py").write_text("theirs\n")
    git(two, "commit", "-qam", "theirs")
    git(two, "push", "-q")
    (one / "code.py").write_text("mine\n")
    write(one, "sessions/one.md")
    before = git(one, "rev-parse", "HEAD"), git(one, "status", "--porcelain")
    with pytest.raises(StoreError, match=r"are in the way .*commit or stash them"):
        share(one)
    assert (git(one, "rev-parse", "HEAD"), git(one, "status", "--porcelain")) == before
    assert (one / "code.py").read_text() == "mine\n"


def test_a_memory_retired_here_and_entries_written_there_do_not_conflict(machines):
    one, two, _ = machines
    write(one, "memories/error/a.md")
    share(one)
    share(two)
    write(one, "memories/error/a.md", None)
    write(two, "sessions/b.md")
    share(one)
    share(two)
    share(one)
    assert set(files(one)) == set(files(two)) == {"sessions/b.md"}


def test_both_retiring_the_same_memory_is_no_conflict(machines):
    one, two, _ = machines
    edited_by_both(one, two, b"x\n", None, None)
    assert share(two).kept_both == ()
    assert files(two) == {}
    assert clean(two)


def test_a_memory_edited_in_two_places_is_merged_where_git_can(machines):
    one, two, _ = machines
    lines = b"a\n\n\n\nb\n\n\n\nc\n"
    edited_by_both(one, two, lines, lines.replace(b"a", b"A"), lines.replace(b"c", b"C"))
    assert share(two).kept_both == ()
    assert files(two) == {"memories/error/a.md": b"A\n\n\n\nb\n\n\n\nC\n"}


def test_a_memory_edited_differently_is_kept_as_both(machines):
    one, two, _ = machines
    edited_by_both(one, two, b"base\n", b"ours\n", b"theirs\n")
    assert share(two).kept_both == ("journal/memories/error/a.md",)
    share(one)
    assert sorted(files(one).values()) == [b"ours\n", b"theirs\n"]
    assert files(one) == files(two)
    assert clean(one) and clean(two)


def test_an_edit_beats_a_removal_made_elsewhere(machines):
    one, two, _ = machines
    edited_by_both(one, two, b"base\n", None, b"edited\n")
    share(two)
    share(one)
    assert files(one) == files(two) == {"memories/error/a.md": b"edited\n"}


def test_a_sync_killed_half_way_is_finished_by_the_next(machines):
    one, two, _ = machines
    write(two, "sessions/two.md")
    share(two)
    git(one, "fetch", "-q")
    # Killed between the work tree and the branch: what came in looks staged.
    git(one, "read-tree", "-m", "-u", "HEAD", "origin/main")
    share(one)
    assert set(files(one)) == {"sessions/two.md"}
    assert clean(one)


def test_a_sync_killed_while_it_wrote_the_work_tree_is_finished_by_the_next(machines):
    one, two, _ = machines
    write(two, "memories/error/a.md", b"first\n")
    share(two)
    share(one)
    write(two, "memories/error/a.md", b"edited\n")
    write(two, "sessions/two.md")
    share(two)
    # Git writes the files one by one and the index last.
    (one / "journal/memories/error/a.md").write_bytes(b"edited\n")
    (one / "journal/sessions").mkdir()
    (one / "journal/sessions/two.md").write_bytes(b"x\n")
    (one / "staged.py").write_text("staged\n")
    git(one, "add", "staged.py")
    share(one)
    assert files(one) == files(two)
    assert git(one, "status", "--porcelain") == "A  staged.py\n"


def test_a_file_behind_a_link_is_not_taken_for_what_others_pushed(machines, tmp_path):
    one, two, _ = machines
    write(two, "sessions/two.md")
    share(two)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/two.md").write_bytes(b"x\n")
    (one / "journal").mkdir(exist_ok=True)
    (one / "journal/sessions").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="are in the way"):
        share(one)
    assert git(one, "ls-files", "journal/sessions") == ""
    assert (tmp_path / "elsewhere/two.md").read_bytes() == b"x\n"


def test_what_a_person_has_staged_is_not_replaced_by_what_lies_in_the_work_tree(machines):
    one, two, _ = machines
    write(two, "sessions/two.md")
    share(two)
    place = one / "journal/sessions/two.md"
    place.parent.mkdir(parents=True)
    place.write_text("mine\n")
    git(one, "add", "journal/sessions/two.md")
    place.write_text("x\n")
    with pytest.raises(StoreError, match="are in the way"):
        share(one)
    assert git(one, "show", ":journal/sessions/two.md") == "mine\n"


def test_without_a_remote_or_a_network_it_says_so_and_loses_nothing(machines, repo):
    write(repo, "sessions/a.md")
    with pytest.raises(StoreError, match="no remote to sync with; add one"):
        share(repo)
    one, _, _ = machines
    write(one, "sessions/a.md")
    git(one, "remote", "set-url", "origin", str(one / "gone"))
    with pytest.raises(StoreError, match=r"cannot reach origin .*nothing is lost"):
        share(one)
    assert set(files(one)) == {"sessions/a.md"}
    assert clean(one)


def test_a_persons_own_commits_are_theirs_to_push(machines):
    one, _, _ = machines
    (one / "code.py").write_text("mine\n")
    git(one, "commit", "-qam", "mine")
    write(one, "sessions/a.md")
    with pytest.raises(StoreError, match=r"touch code.py, outside journal/: they are your work"):
        share(one)


def test_authors_and_words_survive_the_replay(machines):
    one, two, _ = machines
    write(two, "sessions/two.md")
    share(two)
    git(one, "config", "user.name", "Grace \u00dcber")
    write(one, "sessions/one.md")
    share(one)
    shown = git(one, "log", "-1", "--format=%an|%s|%at")
    assert shown == "Grace \u00dcber|wrapup: sessions/one.md|1792419753\n"


def test_many_machines_syncing_at_once_all_get_through(machines):
    one, two, clone = machines
    folders = [one, two, *(clone(f"m{number}") for number in range(4))]
    for number, folder in enumerate(folders):
        write(folder, f"sessions/{number}.md")
    with ThreadPoolExecutor(len(folders)) as pool:
        list(pool.map(share, folders))
    for folder in folders:
        share(folder)
    assert all(len(files(folder)) == len(folders) for folder in folders)
    assert all(clean(folder) for folder in folders)


def test_the_first_sync_into_an_empty_remote_and_from_it(tmp_path):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q", "-b", "main")
        git(tmp_path / name, "remote", "add", "origin", str(tmp_path / "team.git"))
    write(tmp_path / "one", "sessions/a.md")
    assert share(tmp_path / "one").pushed == 1
    assert share(tmp_path / "two").pulled == 1
    assert files(tmp_path / "two") == {"sessions/a.md": b"x\n"}
    assert clean(tmp_path / "two")


def test_a_first_sync_keeps_what_a_person_has_staged(machines, tmp_path):
    one, _, _ = machines
    new = tmp_path / "new"
    new.mkdir()
    git(new, "init", "-q", "-b", "main")
    git(new, "remote", "add", "origin", git(one, "remote", "get-url", "origin").strip())
    (new / "staged.txt").write_text("mine\n")
    git(new, "add", "staged.txt")
    share(new)
    assert (new / "staged.txt").read_text() == "mine\n"
    assert git(new, "status", "--porcelain") == "A  staged.txt\n"
    assert (new / "code.py").is_file()


def test_a_first_sync_does_not_write_over_a_file_that_stands_there(machines, tmp_path):
    one, _, _ = machines
    new = tmp_path / "new"
    new.mkdir()
    git(new, "init", "-q", "-b", "main")
    git(new, "remote", "add", "origin", git(one, "remote", "get-url", "origin").strip())
    (new / "code.py").write_text("mine\n")
    with pytest.raises(StoreError, match="are in the way"):
        share(new)
    assert (new / "code.py").read_text() == "mine\n"


def test_a_merge_made_by_hand_is_not_replayed_away(machines):
    one, two, _ = machines
    edited_by_both(one, two, b"base\n", b"ours\n", b"theirs\n")
    git(two, "pull", "-q", "--no-rebase", "--no-edit", "-s", "ours")
    (two / "journal/memories/error/a.md").write_bytes(b"settled\n")
    git(two, "commit", "-q", "--amend", "--no-edit", "-a")
    write(one, "sessions/later.md")
    share(one)
    before = git(two, "rev-parse", "HEAD")
    with pytest.raises(StoreError, match="hold a merge"):
        share(two)
    assert git(two, "rev-parse", "HEAD") == before
    assert files(two)["memories/error/a.md"] == b"settled\n"


HIDDEN = {
    "an ignored file": ("journal/a.md", "echo '*' > .git/info/exclude"),
    "what one's own rules hide": (
        "journal/a.md", "echo a.md > ~/x; git config --global core.excludesFile ~/x"),
    "an ignored file where a folder comes": ("journal/a.md", "echo '*' > .git/info/exclude"),
    "an ignored folder where a file comes": ("journal/a.md/b.md", "echo '*' > .git/info/exclude"),
    "an edit that git overlooks": ("journal/kept.md", "git update-index --assume-unchanged {}"),
    "an edit that git skips": ("journal/kept.md", "git update-index --skip-worktree {}"),
}  # fmt: skip


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("gone", [False, True])
def test_a_sync_overwrites_no_words_that_git_does_not_show(machines, name, gone):
    one, two, _ = machines
    path, hide = HIDDEN[name]
    write(one, "kept.md")
    share(one)
    share(two)
    (two / path).parent.mkdir(exist_ok=True)
    subprocess.run(["sh", "-c", hide.format(path)], cwd=two, check=True)
    (two / path).write_text("mine\n")
    if path == "journal/kept.md":
        write(one, "kept.md", None if gone else b"theirs\n")
    else:
        write(one, "a.md/c.md" if "where a folder" in name else "a.md", b"theirs\n")
    share(one)
    with pytest.raises(StoreError, match="uncommitted"):
        share(two)
    assert (two / path).read_text() == "mine\n"


def test_links_and_programs_of_the_code_are_no_words_in_the_way(machines):
    one, two, _ = machines
    for target in ("code.py", "other.py", ""):
        (one / "link").unlink(missing_ok=True)
        if target:
            (one / "link").symlink_to(target)
        (one / "run.sh").write_text(f"echo {target}\n")
        (one / "run.sh").chmod(0o755)
        git(one, "add", "-A")
        git(one, "commit", "-qm", f"to {target}")
        git(one, "push", "-q", "origin", "HEAD:main")
        share(two)
        assert (two / "run.sh").read_text() == f"echo {target}\n"
        assert (two / "link").is_symlink() == bool(target)
