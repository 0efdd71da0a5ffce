"""Filters that a repository's own settings name: programs that git runs on files, and we do not.

Settings of a person (`git lfs install`) are theirs. What `.git/config` names can come with an
unpacked archive; git runs it even where it only writes its index.
"""

from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.git.repository import Repository
from calmkb.store.git.run import ask_git, run_git
from calmkb.system.git_files import common_dir

_KEYS = ("clean", "smudge", "process")
_ASKED = r"^filter\..*\.(clean|smudge|process)$"
OWN_SCOPES = ("local", "worktree")


def without_filters(repository: Repository) -> list[str]:
    """Return the options for git that run no filter of the repository's own settings.

    Raises StoreError where one has a name that options cannot hold.
    """
    names = filter_names(repository)
    for name in names:
        if "=" in name or "\n" in name:
            raise StoreError(
                f"the settings of {repository.top} name a filter {name!r}, a program that calmkb "
                "does not run and cannot leave out; remove it with: git config --local --edit"
            )
    blank = [f"filter.{name}.{key}=" for name in names for key in _KEYS]
    blank += [f"filter.{name}.required=false" for name in names]
    return [part for option in blank for part in ("-c", option)]


def filter_names(repository: Repository) -> list[str]:
    """Return the names of the filters that the repository's own settings give a program."""
    if not any(map(_may_name_one, _settings(repository.git_dir))):
        return []
    asked = ["config", "--show-scope", "-z", "--name-only", "--get-regexp", _ASKED]
    words = (ask_git(asked, cwd=repository.top) or "").split("\0")
    keys = [k for scope, k in zip(words[::2], words[1::2], strict=False) if scope in OWN_SCOPES]
    return sorted({key.split(".", 1)[1].rpartition(".")[0] for key in keys})


def refuse_filtered(repository: Repository, old: str, new: str) -> None:
    """Raise StoreError where a file that differs between two trees goes through such a filter."""
    names = filter_names(repository)
    if not names:
        return
    changed = run_git(["diff-tree", "-r", "-z", "--name-only", old, new], cwd=repository.top)
    asked = ["check-attr", "-z", "--stdin", "filter"]
    found = run_git(asked, cwd=repository.top, data=changed).decode(errors="replace").split("\0")
    for path, name in zip(found[::3], found[2::3], strict=False):
        if name in names:
            raise StoreError(
                f"{path} goes through the filter {name!r}, a program that the settings of "
                f"{repository.top} name and calmkb does not run; pull with git, then sync again"
            )


def _settings(git_dir: Path) -> list[Path]:
    """Return the files of the repository's settings; a linked worktree has the main one's too."""
    return [common_dir(git_dir) / "config", git_dir / "config.worktree"]


def _may_name_one(path: Path) -> bool:
    """Look without asking git, which costs a fifth of a write."""
    try:
        text = path.read_bytes().lower()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return b"filter" in text or b"include" in text
