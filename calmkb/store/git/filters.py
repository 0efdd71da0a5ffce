"""Filters that a repository's own settings name: programs that git runs on files, and we do not.

Settings of a person (`git lfs install`) are theirs. What `.git/config` names can come with an
unpacked archive; git runs it even where it only writes its index.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import StoreError
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import names_in

if TYPE_CHECKING:
    from calmkb.store.git.run import Git

_KEYS = ("clean", "smudge", "process")
_ASKED = r"^filter\..*\.(clean|smudge|process)$"
_OWN_SCOPES = ("local", "worktree")


def unfiltered(repository: Repository) -> "Git":
    """Return git that runs no filter of the repository's own settings.

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
    return repository.git(c=blank)


def filter_names(repository: Repository) -> list[str]:
    """Return the names of the filters that the repository's own settings give a program."""
    # A linked worktree has the main one's settings too.
    files = (repository.common_dir / "config", repository.git_dir / "config.worktree")
    if not any(map(_may_name_one, files)):
        return []
    own = [key for is_own, key, _ in settings_like(repository, _ASKED) if is_own]
    return sorted({key.split(".", 1)[1].rpartition(".")[0] for key in own})


def settings_like(repository: Repository, keys: str) -> list[tuple[bool, str, str]]:
    """Return the settings whose keys match: whether it is the repository's own, key and value."""
    printed = repository.git.ask("config", "--show-scope", "-z", "--get-regexp", keys) or ""
    words = printed.split("\0")
    return [
        (scope in _OWN_SCOPES, *row.partition("\n")[::2])
        for scope, row in zip(words[::2], words[1::2], strict=False)
    ]


def attributes_of(
    repository: Repository, paths: Iterable[str], *names: str
) -> Iterator[tuple[str, str, str]]:
    """Yield path, name and value of these attributes of each path."""
    asked = "\0".join(paths).encode(errors="surrogateescape")
    found = repository.git.check_attr("-z", "--stdin", *names, istream=asked).split("\0")
    return zip(found[::3], found[1::3], found[2::3], strict=False)


def refuse_filtered(repository: Repository, old: str, new: str) -> None:
    """Raise StoreError where a file that differs between two trees goes through such a filter."""
    names = filter_names(repository)
    if not names:
        return
    changed = names_in(repository.git.diff_tree("-r", "-z", "--name-only", old, new))
    for path, _, name in attributes_of(repository, changed, "filter"):
        if name in names:
            raise StoreError(
                f"{path} goes through the filter {name!r}, a program that the settings of "
                f"{repository.top} name and calmkb does not run; pull with git, then sync again"
            )


def _may_name_one(path: Path) -> bool:
    """Look without asking git, which costs a fifth of a write."""
    try:
        text = path.read_bytes().lower()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return b"filter" in text or b"include" in text
