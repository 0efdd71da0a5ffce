"""A repository and its work tree: found, made, and what its settings say."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.git.refs import branch_in, tip_in
from calmkb.system.git_files import common_dir, git_dir_at, text_of
from calmkb.system.journal_place import is_journal_branch

if TYPE_CHECKING:
    from calmkb.store.git.run import Git, Repo

FALLBACK_NAME = "calmkb"
FALLBACK_EMAIL = "calmkb@localhost"


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree and its git directory (a linked worktree has one of its own)."""

    top: Path
    git_dir: Path

    @property
    def repo(self) -> "Repo":
        """GitPython's repository of this place, one until `close_repositories`."""
        found = _OPEN.get(self)
        if found is None:
            from calmkb.store.git.run import Repo  # what is read without git need not pay for it

            found = _OPEN[self] = Repo(self.top, self.git_dir, self.common_dir)
        return found

    @property
    def git(self) -> "Git":
        """git in the work tree."""
        return self.repo.git

    @property
    def spool(self) -> Path:
        """The folder of changes that wait to be committed, this work tree's own."""
        return self.git_dir / "calmkb" / "spool"

    @property
    def common_dir(self) -> Path:
        """The git directory that all work trees of this clone share."""
        return common_dir(self.git_dir)

    def branch(self) -> str:
        """Return the full name of the checked-out branch, born or not.

        Raises StoreError on a detached HEAD: a commit there would belong to no branch.
        """
        name = self.attached_branch()
        if name is None:
            raise StoreError(
                f"HEAD of {self.top} is detached (a rebase, a bisect or a tag checked out?); "
                "finish it or check out a branch, then try again"
            )
        return name

    def attached_branch(self) -> str | None:
        """Return the full name of the checked-out branch, or None on a detached HEAD."""
        return branch_in(self.git_dir) or self.git.ask("symbolic-ref", "-q", "HEAD")

    def tip(self, branch: str) -> str | None:
        """Return the commit that `branch`, or HEAD, points at; None before the first commit."""
        name = branch_in(self.git_dir) or "" if branch == "HEAD" else branch
        known = tip_in(self.git_dir, name) if name.startswith("refs/") else None
        return known or self.git.ask("rev-parse", "-q", "--verify", f"{branch}^{{commit}}")

    def remotes(self) -> list[str]:
        """Return the names of the remotes."""
        return (self.git.ask("remote") or "").split()

    def identity(self) -> tuple[str, str]:
        """Return (name, email) for commits; what git does not know gets a neutral default."""
        name = os.environ.get("GIT_AUTHOR_NAME") or self.setting("user.name")
        email = os.environ.get("GIT_AUTHOR_EMAIL") or self.setting("user.email")
        return name or FALLBACK_NAME, email or FALLBACK_EMAIL

    @property
    def signs_commits(self) -> bool:
        """Whether git signs the commits that are made here."""
        return self.setting("commit.gpgsign").lower() in ("true", "yes", "on", "1")

    def setting(self, name: str) -> str:
        """Return one of the few settings that every write needs, "" for none."""
        from calmkb.store.git.settings import settings_of

        return settings_of(self).get(name, "")


_FOUND: dict[Path, "Repository"] = {}
_OPEN: dict[Repository, "Repo"] = {}


def close_repositories() -> None:
    """Close what GitPython holds open: at the end of each command, and of each call of a server.

    What was found is forgotten: a person may move or remove a repository in between.
    """
    _FOUND.clear()
    while _OPEN:
        _OPEN.popitem()[1].close()


def git_in(folder: Path) -> "Git":
    """Return git for a folder that need not be a work tree's top."""
    from calmkb.store.git.run import Git

    return Git(folder)


def find_repository(folder: Path) -> Repository | None:
    """Return the repository whose work tree holds `folder`, or None; looked for once a command."""
    place = folder.absolute()
    known = _FOUND.get(place)
    if known and (known.git_dir / "HEAD").is_file():  # a server lives longer than what it found
        return known
    if found := _find(place):
        _FOUND[place] = found
    return found


def _find(folder: Path) -> Repository | None:
    found = _plain_repository(folder)
    if found is None and _may_hold_one(folder):
        found = _asked_repository(folder)
    if found and (found.git_dir / "calmkb").is_symlink():
        raise StoreError(
            f"{found.git_dir / 'calmkb'} is a symbolic link; delete it, calmkb makes a folder there"
        )
    return found


def repository_named(folder: Path) -> Repository | None:
    """Return the repository around a folder that a record or a session names, or None.

    It may be somebody else's, which git or the system does not let us read.
    """
    with contextlib.suppress(StoreError, OSError):
        return find_repository(folder) if folder.is_dir() else None
    return None


def _asked_repository(folder: Path) -> Repository | None:
    try:
        found = git_in(folder).rev_parse("--show-toplevel", "--absolute-git-dir")
    except GitFailedError as error:
        if "dubious ownership" in error.stderr:
            raise
        return None
    top, git_dir = found.split("\n")[:2]
    return Repository(Path(top), Path(git_dir))


def _plain_repository(folder: Path) -> Repository | None:
    """Return the repository where nothing is out of the ordinary; None leaves it to git.

    Asking git costs a tenth of a wrap-up. Submodules, work trees named in the configuration and
    folders of other people are git's to judge.
    """
    here = folder.resolve()
    if not here.is_dir():
        return None
    top = next((place for place in (here, *here.parents) if (place / ".git").exists()), None)
    if top is None:
        return None
    mark = git_dir = shared = top / ".git"
    if mark.is_file():
        git_dir = Path(os.path.normpath(git_dir_at(top) or mark))
        shared = common_dir(git_dir)
        if is_journal_branch(top):  # where it is decides, not what a file says
            linked = git_dir.parent == top.parents[1] / "worktrees"
            shared = top.parents[1]
        else:
            named = text_of(git_dir / "gitdir").strip()
            linked = (git_dir.parent, named) == (shared / "worktrees", str(mark))
        if not linked:
            return None
    elif ".git" in here.parts:
        return None
    try:
        owners = {place.lstat().st_uid for place in (mark, git_dir, shared)}
        settings = (shared / "config").read_text(errors="replace").lower()
        ordinary = (git_dir / "HEAD").is_file() and (shared / "objects").is_dir()
    except OSError:
        return None
    ours = not hasattr(os, "getuid") or owners == {os.getuid()}
    odd = any(word in settings for word in ("worktree", "bare = true", "[include"))
    return Repository(top, git_dir) if ordinary and ours and not odd else None


def _may_hold_one(folder: Path) -> bool:
    """Return whether git may know a repository here: a mark of one, or a bare one, is above."""
    here = folder.resolve()
    return any(
        os.path.lexists(place / ".git") or (place / "HEAD").exists()
        for place in (here, *here.parents)
    )


def is_shallow(repository: Repository) -> bool:
    """Say whether the history here was cut off: its first commit then seems to write all files."""
    return (repository.common_dir / "shallow").exists()


def create_repository(folder: Path) -> Repository:
    """Make `folder` a repository of its own, its first branch called main."""
    if git_in(folder).ask("rev-parse", "--git-dir") is not None:
        raise StoreError(
            f"{folder} is in a bare repository or in git's own folder; go into a work tree of it, "
            "or choose a folder outside"
        )
    git_in(folder).init("-q", "-b", "main")
    repository = find_repository(folder)
    if repository is None:
        raise StoreError(f"git init in {folder} left no repository; is the disk writable?")
    return repository
