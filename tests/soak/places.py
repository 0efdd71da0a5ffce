"""A repository of a person's, with a home of its own, that a trial copies and may ruin."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.people import AS_A_PERSON

OWN = {"kept.txt": "edited\n", "other.txt": "staged\n", "loose.txt": "loose\n"}
"""A person's files and what is in them: unstaged, staged and untracked work."""


@dataclass(frozen=True)
class Place:
    """A folder that holds `repo`, `home`, and what a trial brings along."""

    folder: Path

    @property
    def repo(self) -> Path:
        """The repository of the trial."""
        return self.folder / "repo"

    def env(self) -> dict[str, str]:
        """Return an environment that reaches nothing outside the folder."""
        foreign = ("GIT_", "CALM", "CLAUDE", "REFLECTIONS_DIR")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        home = str(self.folder / "home")
        return kept | {"HOME": home, "USERPROFILE": home, "GIT_CONFIG_NOSYSTEM": "1"}

    def copy(self, to: Path) -> "Place":
        """Return a copy of all of it at `to`."""
        shutil.copytree(self.folder, to, symlinks=True)
        copied = Place(to)
        copied.git("status")  # the copies have other inodes than the index knows
        return copied

    def start(self, args: list[str], *, at: str = "repo") -> subprocess.Popen[str]:
        """Start calmkb as a person would, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", AS_A_PERSON, *args],
            cwd=self.folder / at, env=self.env(), start_new_session=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def calmkb(self, *args: str, at: str = "repo") -> tuple[int, str]:
        """Run calmkb to its end; return its exit code and all that it printed."""
        process = self.start(list(args), at=at)
        output, errors = process.communicate(timeout=300)
        return process.returncode, output + errors

    def git(self, *args: str, at: str = "repo") -> str:
        """Run git as a person would and return what it prints; an error is an error."""
        done = subprocess.run(
            ["git", *args], cwd=self.folder / at, env=self.env(), check=False,
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise AssertionError(f"git {' '.join(args)}: {done.stderr}")
        return done.stdout

    def records(self, kind: str, *, holding: str = "", at: str = "repo") -> list[str]:
        """Return the paths of HEAD's records of a folder whose file holds a text."""
        asked = ["git", "grep", "-l", "-F", "-e", holding, "HEAD", "--", f"journal/{kind}"]
        done = subprocess.run(
            asked, cwd=self.folder / at, env=self.env(), check=False, capture_output=True, text=True
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout.split()


def make_place(folder: Path) -> Place:
    """Return a new place: a knowledge base with sessions and memories, and a person's work."""
    place = Place(folder)
    (folder / "home").mkdir(parents=True)
    (folder / "home/.gitconfig").write_text(
        "[user]\n\tname = Ada Reviewer\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
    )
    place.repo.mkdir()
    place.git("init", "-q", "-b", "main")
    (place.repo / "calmkb.toml").write_text('project = "shop"\n')
    for name in ("kept.txt", "other.txt", "CLAUDE.md"):
        (place.repo / name).write_text(f"{name}\n")
    place.git("add", "-A")
    place.git("commit", "-qm", "begin")
    for number in range(3):
        code, said = place.calmkb(
            "wrapup", "--summary", f"Session {number}.", "--friction", "The linter needs node 22."
        )
        assert code == 0, said
    for text in ("Use pnpm for every script.", "Run the linter before a push."):
        code, said = place.calmkb("memory", "add", text, "--category", "fact")
        assert code == 0, said
    (place.repo / "kept.txt").write_text(OWN["kept.txt"])
    (place.repo / "other.txt").write_text(OWN["other.txt"])
    place.git("add", "other.txt")
    (place.repo / "loose.txt").write_text(OWN["loose.txt"])
    return place


def check_own_work(place: Place, before: str) -> None:
    """Raise AssertionError where a person's work is not as it was, or git's objects are broken."""
    for name, text in OWN.items():
        assert (place.repo / name).read_text() == text, f"{name} was changed"
    ours = [line for line in place.git("status", "--porcelain").splitlines() if "journal" in line]
    assert ours == [], f"left in the work tree: {ours}"
    assert place.git("diff", "--cached") == before, "the staged changes differ"
    found = place.git("fsck", "--strict", "--no-dangling")
    assert found == "", f"git fsck: {found}"
