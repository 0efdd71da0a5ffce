"""The files of a commit or of the index: names and ids."""

from calmkb.store.git.repository import Repository

FILE_LIMIT = 1024 * 1024


def tree_entries(repository: Repository, commit: str, folder: str = "") -> dict[str, str]:
    """Return path → "MODE ID" of all files of a commit, or of those below a folder."""
    below = ["--", f"{folder}/"] if folder else []
    literal = repository.git(literal_pathspecs=True)
    return entries_in(literal.ls_tree("-r", "-z", "--full-tree", commit, *below))


def entries_in(printed: str) -> dict[str, str]:
    """Return path → "MODE ID" of what `ls-tree -z` or `ls-files -s -z` prints."""
    found = {}
    for line in printed.split("\0")[:-1]:
        words, _, path = line.partition("\t")
        mode, *rest = words.split(" ")
        found[path] = f"{mode} {max(rest, key=len)}"  # the id, beside a kind or a stage
    return found


def is_ignored(repository: Repository, path: str, *options: str) -> bool:
    """Whether the repository's rules keep a path out of git; a tracked one needs `--no-index`."""
    return repository.git.ask("check-ignore", "-q", *options, "--", path) is not None


def shown_paths(repository: Repository, folder: str) -> frozenset[str]:
    """Return the paths below `folder` of which git would show a person a change.

    Not what an ignore rule, a setting, or an order to overlook changes (assume-unchanged) covers.
    """
    git, below = repository.git(literal_pathspecs=True), ["--", f"{folder}/"]
    marked = names_in(git.ls_files("-v", "-z", *below))
    tracked = [line[2:] for line in marked if line[0].isupper() and line[0] != "S"]
    if git.ask("config", "status.showUntrackedFiles") in ("no", "false"):
        return frozenset(tracked)
    others = git.ls_files("-z", "--others", "--exclude-standard", *below)
    return frozenset([*tracked, *names_in(others)])


def names_in(printed: str) -> list[str]:
    """Return the paths that git prints with `-z`."""
    return [path for path in printed.split("\0") if path]


def named(repository: Repository, commit: str) -> str | None:
    """Return the full id of the commit that a person names, or None."""
    if not commit or commit.startswith("-"):
        return None
    return repository.git.ask("rev-parse", "-q", "--verify", f"{commit}^{{commit}}")
