"""The files of a commit or of the index: names, ids, texts."""

from collections.abc import Iterable, Iterator, Mapping

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


def texts_of(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the texts of files of at most a megabyte in a commit, or in the index without one."""
    named = {path: f"{commit}:{path}" for path in paths if "\n" not in path}
    return dict(batch(repository, named))


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


def batch(repository: Repository, named: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield key and text of the files that git has under the names."""
    if not named:
        return
    asked = "".join(f"{name}\n" for name in named.values()).encode(errors="surrogateescape")
    found = repository.git.cat_file("--batch", istream=asked, stdout_as_string=False)
    place = 0
    for key in named:
        end = found.index(b"\n", place)
        head = found[place:end].split()
        place = end + 1
        if len(head) != len(("id", "type", "size")) or not head[2].isdigit():
            continue  # not there
        size = int(head[2])
        if head[1] == b"blob" and size <= FILE_LIMIT:
            yield key, found[place : place + size].decode(errors="replace")
        place += size + 1


def named(repository: Repository, commit: str) -> str | None:
    """Return the full id of the commit that a person names, or None."""
    if not commit or commit.startswith("-"):
        return None
    return repository.git.ask("rev-parse", "-q", "--verify", f"{commit}^{{commit}}")
