"""The index answers as a fresh scan does, whatever happened to the work tree."""

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from calmkb.documents import record_path, render
from calmkb.model import Entry, Memory, Reflection, Section
from calmkb.store.index.head import absent_problem
from calmkb.store.index.index import Index, with_index
from calmkb.store.index.queries import all_records, newest_sessions
from calmkb.store.index.schema import connect, index_path, make_tables
from calmkb.store.journal import read_journal
from tests.conftest import git
from tests.scale.conftest import list_until_settled

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def journal(repo: Path) -> Path:
    """Return the empty journal folder of a repository."""
    folder = repo / "journal"
    folder.mkdir()
    return folder


def entry(number: int, **more) -> Entry:
    given = {"summary": f"Work number {number}.", "project_name": f"p{number % 3}"}
    return Entry(
        id=f"{number:08x}-0000-4000-8000-000000000000",
        created_at=START + timedelta(hours=number),
        **(given | more),
    )


def write(journal: Path, record) -> Path:
    path = journal / record_path(record)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(record), encoding="utf-8")
    return path


def by_index(journal: Path, **more):
    return with_index(journal, lambda index: (all_records(index), index.problems()), **more)


def by_scan(journal: Path):
    stored, problems = read_journal(journal)
    records = sorted((s.record for s in stored), key=lambda r: (r.created_at, r.id))[::-1]
    inside = (journal.parent / ".git").exists()
    listed = git(journal.parent, "ls-files", "-z", "journal").split("\0") if inside else []
    names = [path.removeprefix("journal/") for path in listed if "/." not in path]
    absent = [name for name in names if not os.path.lexists(journal / name)]
    return records, (*problems, *absent_problem(sorted(absent)))


def covered(journal: Path) -> dict[str, str | None]:
    """Return which reflection covers each session, as lists say it."""
    found = with_index(journal, lambda index: newest_sessions(index, limit=-1))
    return {f.record.id: f.reflection and f.reflection["id"] for f in found}


def covered_by_scan(journal: Path) -> dict[str, str | None]:
    records, _ = by_scan(journal)
    first = {e: r.id for r in records if isinstance(r, Reflection) for e in r.entries}
    return {r.id: first.get(r.id) for r in records if isinstance(r, Entry)}


class Hand:
    """One who does anything to a work tree, by a seed."""

    def __init__(self, repo: Path, seed: int) -> None:
        self.repo, self.journal = repo, repo / "journal"
        self.random = random.Random(seed)  # noqa: S311
        self.count = 0

    def act(self) -> str:
        name = self.random.choice(
            ["write", "write", "write", "memory", "reflect", "edit", "edit", "same_size", "delete",
             "spoil", "move_folder", "drop_folder", "commit", "branch", "old_version", "link",
             "hide", "reset"]
        )  # fmt: skip
        getattr(self, name)()
        return name

    def files(self) -> list[Path]:
        return sorted(p for p in self.journal.rglob("*.md") if p.is_file())

    def any_file(self) -> Path:
        return self.random.choice(self.files() or [self.write()])

    def write(self) -> Path:
        self.count += 1
        day = self.random.randrange(4) * 24 + self.count % 24
        return write(self.journal, entry(self.count * 100 + day))

    def memory(self) -> None:
        self.count += 1
        text = f"Learning {self.count}"
        identity = f"{self.count:08x}-1111-4000-8000-000000000000"
        write(self.journal, Memory(id=identity, created_at=START, text=text, category="fact"))

    def reflect(self) -> None:
        self.count += 1
        sessions = [r.id for r in by_scan(self.journal)[0] if isinstance(r, Entry)]
        some = self.random.sample(sessions, min(3, len(sessions)))
        identity = f"{self.count:08x}-2222-4000-8000-000000000000"
        moment = START + timedelta(minutes=self.random.randrange(9))
        write(self.journal, Reflection(id=identity, created_at=moment, entries=tuple(some)))

    def edit(self) -> None:
        path = self.any_file()
        if not path.is_symlink():
            more = f"\n\n## More\n\nLine {self.random.random()}\n"
            path.write_bytes(path.read_bytes() + more.encode())

    def same_size(self) -> None:
        """Change a letter in place and set the file's time back."""
        path = self.any_file()
        before = path.stat()
        changed = self.random.choice([b"NUMBER", b"nUmBeR"])
        path.write_bytes(path.read_bytes().replace(b"number", changed))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def delete(self) -> None:
        self.any_file().unlink()

    def spoil(self) -> None:
        self.any_file().write_bytes(self.random.choice([b"---\nid: [\n---\n", b"\xff\xfe", b""]))

    def move_folder(self) -> None:
        self.count += 1
        folder = self.any_file().parent
        folder.rename(folder.with_name(f"{folder.name}-{self.count}"))

    def drop_folder(self) -> None:
        subprocess.run(["rm", "-r", str(self.any_file().parent)], check=True)

    def commit(self) -> None:
        git(self.repo, "add", "-A")
        git(self.repo, "commit", "-q", "--allow-empty", "-m", "more")

    def branch(self) -> None:
        self.commit()
        names = git(self.repo, "branch", "--format=%(refname:short)").split()
        new = f"b{len(names)}"
        start = self.random.choice(names)
        git(self.repo, "switch", "-q", *(["-c", new, start] if len(names) < 4 else [start]))

    def old_version(self) -> None:
        self.commit()
        commits = git(self.repo, "log", "--format=%h", "-8").split()
        old = self.random.choice(commits)
        if git(self.repo, "ls-tree", old, "journal"):
            git(self.repo, "checkout", "-q", old, "--", "journal")

    def link(self) -> None:
        self.count += 1
        path = self.journal / f"sessions/2026/link-{self.count}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(self.any_file())

    def hide(self) -> None:
        path = self.any_file()
        path.rename(path.with_name(f".{path.name}"))

    def reset(self) -> None:
        git(self.repo, "reset", "-q", "--hard")


@pytest.mark.parametrize("seed", range(4))
def test_after_any_acts_the_index_answers_as_a_fresh_scan(repo, journal, seed):
    hand = Hand(repo, seed)
    for _ in range(4):
        hand.write()
    for _ in range(30):
        done = hand.act()
        assert by_index(journal) == by_scan(journal), done
        assert covered(journal) == covered_by_scan(journal), done


def test_every_field_and_every_unknown_key_comes_back(journal):
    path = write(
        journal, entry(1, friction_points=("a\nb", "ü\u2028"), sections=(Section("X", "y"),))
    )
    text = path.read_text().replace("agent:", "agent2:")
    path.write_text(
        text.replace("---\n\n", "due: 2026-01-02\nlist: [1, '1', {a: true}]\n---\n\n", 1)
    )
    (found,), problems = by_index(journal)
    assert (found, problems) == (by_scan(journal)[0][0], ())
    assert render(found) == render(by_scan(journal)[0][0])


def test_an_old_session_edited_in_place_is_right_where_it_is_shown(journal):
    paths = [write(journal, entry(number)) for number in range(9)]
    list_until_settled(index_path(journal), lambda: by_index(journal))
    by_index(journal, watched=1)
    text = paths[0].read_text()
    paths[0].write_text(text.replace("Work number", "Done number"))
    shown = with_index(journal, lambda index: newest_sessions(index, limit=9), watched=1)
    assert shown[-1].record.summary == "Done number 0."
    assert by_index(journal, watched=1) == by_scan(journal)


@pytest.mark.parametrize(
    "bytes_", [b"", b"no database at all" * 400, b"SQLite format 3\0" + b"x" * 9000]
)
def test_a_damaged_index_is_built_anew(journal, bytes_):
    write(journal, entry(1))
    expected = by_index(journal)
    Path(index_path(journal)).write_bytes(bytes_)
    assert by_index(journal) == expected


@pytest.mark.parametrize("at", range(1, 20))
def test_a_half_written_index_is_built_anew(journal, at):
    for number in range(40):
        write(journal, entry(number))
    expected = by_index(journal)
    path = Path(index_path(journal))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * at // 20])
    assert by_index(journal) == expected
    path.write_bytes(data[: len(data) * at // 20] + bytes(len(data) - len(data) * at // 20))
    assert by_index(journal) == expected


def test_an_index_of_another_version_or_a_deleted_one_is_built_anew(journal):
    write(journal, entry(1))
    expected = by_index(journal)
    path = Path(index_path(journal))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version = 99")
        db.execute("DELETE FROM records")
    assert by_index(journal) == expected
    path.unlink()
    assert by_index(journal) == expected
    assert path.exists()


def test_where_no_index_can_be_kept_a_scan_answers(repo, journal, tmp_path):
    write(journal, entry(1))
    (repo / ".git/calmkb").write_text("a file where the folder should be")
    assert by_index(journal) == by_scan(journal)
    loose = tmp_path / "loose"
    write(loose, entry(2))
    assert by_index(loose) == by_scan(loose)
    assert sorted(tmp_path.iterdir()) == [loose, repo]


def test_a_locked_folder_for_the_index_leaves_a_scan(repo, journal):
    write(journal, entry(1))
    Path(index_path(journal)).mkdir()
    assert by_index(journal) == by_scan(journal)


def test_eight_processes_that_all_build_it_agree(repo, journal):
    for number in range(60):
        write(journal, entry(number))
    code = (
        "import sys; from pathlib import Path; from calmkb.store.index.index import with_index\n"
        "from calmkb.store.index.queries import all_records\n"
        "print(len(with_index(Path(sys.argv[1]), all_records)))"
    )
    command = [sys.executable, "-c", code, str(journal)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    assert [process.communicate()[0] for process in running] == ["60\n"] * 8


def test_a_linked_worktree_has_an_index_of_its_own(repo, journal, tmp_path):
    write(journal, entry(1))
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "one")
    git(repo, "worktree", "add", "-q", str(tmp_path / "other"))
    other = tmp_path / "other/journal"
    write(other, entry(2))
    assert len(by_index(other)[0]) == 2
    assert len(by_index(journal)[0]) == 1
    assert "worktrees" in index_path(other)


def test_without_full_text_the_index_still_lists(journal):
    write(journal, entry(1))
    with closing(connect(":memory:")) as db:
        make_tables(db, full_text=False)
        index = Index(db, journal, watched=9)
        index.refresh()
        assert all_records(index) == by_scan(journal)[0]
