"""Local commits rebased onto what others pushed: one file a record, so they seldom meet.

Done in git's object store, away from the index and the work tree: nothing of a person's is touched
until the result is whole.
"""

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from calmkb.errors import GitFailedError
from calmkb.store.commits.fast_import import quoted
from calmkb.store.commits.signing import sign
from calmkb.store.git.repository import Repository
from calmkb.store.git.temporary_refs import own_ref

_NOTHING = ""
_KEPT_HEADERS = (b"author ", b"committer ", b"encoding ")


@dataclass(frozen=True, slots=True)
class Replayed:
    """The new tip, and the paths of records that both sides had changed: both are kept."""

    tip: str
    kept_both: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """One path of one commit: blob ids, empty where there is no file."""

    path: str
    mode: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Ahead:
    """A commit that waits: its id, how many parents it has, and what it changes (no merge's)."""

    id: str
    parents: int
    edits: tuple[Edit, ...]


def commits_ahead(repository: Repository, upstream: str, tip: str) -> list[Ahead]:
    """Return the commits of `tip` that `upstream` lacks, oldest first."""
    listed = repository.git.rev_list("--reverse", "--topo-order", "--parents", f"{upstream}..{tip}")
    return [
        Ahead(one, len(parents), edits_of(repository, "--root", "--no-commit-id", one))
        for one, *parents in (line.split() for line in listed.splitlines())
    ]


def outside(commits: Sequence[Ahead], folder: str) -> list[str]:
    """Return the paths outside `folder` that these commits touch, sorted."""
    paths = {edit.path for commit in commits for edit in commit.edits}
    return sorted(path for path in paths if not PurePosixPath(path).is_relative_to(folder))


def replay(repository: Repository, commits: Sequence[Ahead], upstream: str) -> Replayed:
    """Return what the commits, none of them a merge, make on top of `upstream`; no branch moves."""
    tip, kept = upstream, []
    with own_ref(repository, "sync") as ref:
        for commit in commits:
            edits = []
            for edit in commit.edits:
                placed, both = _resolve(repository, edit, tip)
                edits += placed
                kept += both
            if edits:
                tip = _commit_on(repository, commit, tip, edits, ref)
    return Replayed(tip, tuple(dict.fromkeys(kept)))


def edits_of(repository: Repository, *asked: str) -> tuple[Edit, ...]:
    """Return what differs between two trees, or what a commit changes."""
    words = repository.git.diff_tree("-r", "-z", "--no-renames", *asked).split("\0")
    return tuple(_edit(raw, path) for raw, path in zip(words[::2], words[1::2], strict=False))


def _edit(raw: str, path: str) -> Edit:
    """Return one line of `git diff-tree` as an edit."""
    old_mode, mode, before, after, _ = raw.removeprefix(":").split(" ")
    known = [_NOTHING if set(blob) == {"0"} else blob for blob in (before, after)]
    return Edit(path, mode if known[1] else old_mode, *known)


def _resolve(repository: Repository, edit: Edit, tip: str) -> tuple[list[Edit], list[str]]:
    """Return the edits that bring `edit` onto `tip`, and the path if both sides are kept."""
    theirs = repository.git.ask("rev-parse", "-q", "--verify", f"{tip}:{edit.path}") or _NOTHING
    if theirs in (edit.before, edit.after):
        return ([] if theirs == edit.after else [edit]), []
    if not edit.after:
        return [], []  # we removed what they have rewritten since: the newer words stay
    if not theirs:
        return [edit], []  # they removed what we have rewritten since
    merged = _merged(repository, edit, theirs)
    if merged:
        return [Edit(edit.path, edit.mode, theirs, merged)], []
    beside = _beside(edit.path, edit.after)
    return [Edit(beside, edit.mode, _NOTHING, edit.after)], [edit.path]


def _merged(repository: Repository, edit: Edit, theirs: str) -> str:
    """Return the blob of a merge without conflict, or nothing."""
    if not edit.before:
        return _NOTHING
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, blob in (("ours", edit.after), ("base", edit.before), ("theirs", theirs)):
            path = Path(folder) / name
            path.write_bytes(repository.git.cat_file("blob", blob, stdout_as_string=False))
            names.append(path)
        try:
            merged = repository.git.merge_file("-p", "-q", *names, stdout_as_string=False)
        except GitFailedError:
            return _NOTHING
    return repository.git.hash_object("-w", "--stdin", istream=merged)


def _beside(path: str, blob: str) -> str:
    """Return a path next to `path`, the same on every machine for the same words."""
    place = PurePosixPath(path)
    mark = hashlib.sha256(blob.encode()).hexdigest()[:8]
    return str(place.with_name(f"{place.stem}-{mark}{place.suffix}"))


def _commit_on(
    repository: Repository, commit: Ahead, parent: str, edits: Sequence[Edit], ref: str
) -> str:
    """Return a commit like `commit` with `parent` and `edits`, its author and words kept.

    `ref` is what git moves meanwhile.
    """
    raw = repository.git.cat_file("commit", commit.id, stdout_as_string=False)
    headers, _, message = raw.partition(b"\n\n")
    kept = [line for line in headers.split(b"\n") if line.startswith(_KEPT_HEADERS)]
    lines = [f"commit {ref}".encode(), b"mark :1", *kept]
    lines += [b"data %d\n%b" % (len(message), message), f"from {parent}".encode()]
    for edit in edits:
        verb = f"M {edit.mode} {edit.after} " if edit.after else "D "
        lines.append(verb.encode() + quoted(edit.path))
    stream = b"\n".join([b"feature done", *lines, b"", b"get-mark :1", b"done", b""])
    new = repository.git.fast_import("--quiet", "--force", "--done", istream=stream)
    return sign(repository, new, parent) if repository.signs_commits else new
