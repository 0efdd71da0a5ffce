"""One `git fast-import`, talked to step by step: commits are known by id before the branch moves.

They go onto a ref of this process; when they are on disk, the branch moves, and only if nobody else
has moved it. Between the two the caller writes down what is about to happen, and a process that is
killed there leaves the branch where it was.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE
from types import TracebackType
from typing import NoReturn

from calmkb.errors import StoreError
from calmkb.store.commits.changes import Change, PathChange
from calmkb.store.git.repository import Repository
from calmkb.store.git.temporary_refs import own_ref

_SETTINGS = (
    "core.fsync=committed",  # git's default leaves loose objects to the power supply
    "core.fsyncMethod=batch",
    "core.filesRefLockTimeout=2000",  # a person's commit holds the branch for a moment
)
_PLAIN, _EXECUTABLE = "100644", "100755"
_AT_ONCE = 8  # files whose answers fit into a pipe while nobody reads it
_NO_BRACKETS = str.maketrans("", "", "<>\n\0")


class FastImport:
    """A running import; leaving the block without `finish` drops all of it.

    Every method raises GitFailedError where git refuses, StoreError where a path cannot be written.
    """

    def __init__(self, repository: Repository, branch: str, *, hurry: bool = False) -> None:
        """Start git; `hurry` leaves a pack behind, not loose objects: a fourth of the time."""
        self._held = ExitStack()
        self._ref = self._held.enter_context(own_ref(repository, "import"))
        self._repository, self._branch = repository, branch
        self._base: str | None = None
        self._parent: str | None = None
        self._tip: str | None = None
        self._marks = 0
        git = repository.git(c=[*_SETTINGS, *(["fastimport.unpackLimit=1"] if hurry else [])])
        # Up before it is needed: one that begins as we are killed would move the branch later.
        self._mover = git.update_ref("-m", "calmkb", "--stdin", istream=PIPE, as_process=True)
        self.mover = int(self._mover.pid)  # the process that locks the branch
        self._process = git.fast_import("--quiet", "--done", istream=PIPE, as_process=True)
        self._send(b"feature done\nprogress up\n")
        self._process.stdout.readline()

    def begin_at(self, tip: str | None) -> None:
        """Put the first commit on top of `tip`."""
        self._base = self._parent = tip

    def __enter__(self) -> "FastImport":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        for process in (self._process, self._mover):
            process.kill()  # a finished process does not mind
            process.communicate()
        self._held.close()

    def add(
        self, change: Change, identity: tuple[str, str], stored: Mapping[str, str] | None = None
    ) -> tuple[str, list[PathChange]]:
        """Add one commit on top of the last; return its id and what it does to each path.

        `stored` (path → blob id) are files that git holds already, in another form.
        """
        paths: list[PathChange] = []
        files = sorted(change.files.items())
        for start in range(0, len(files), _AT_ONCE):
            paths += self._store(files[start : start + _AT_ONCE], stored or {})
        _check_expected(change, paths)
        commit_id = self._ask([self._commit(change, identity, paths)], 1)[0]
        self._parent = f":{self._marks}"  # git does not know its id before `write`
        self._tip = commit_id
        return commit_id, paths

    def write(self) -> None:
        """Write the objects, on disk when this returns."""
        self._send(b"done\n")
        self._process.result()

    def finish(self, *, new: bool = False) -> None:
        """Move the branch, a `new` one or from where it was, on disk when this returns."""
        if tip := self._tip:
            before = (not new and self._base) or "0" * len(tip)
            asked = [
                "start",
                f"update {self._branch} {tip} {before}",
                f"delete {self._ref}",
                "commit",
            ]
            self._mover.result("\n".join([*asked, ""]).encode())

    def _store(
        self, files: Sequence[tuple[str, bytes | None]], stored: Mapping[str, str]
    ) -> list[PathChange]:
        """Hand over the blobs; ask for their ids and for what is at their paths."""
        asked: list[bytes] = []
        for path, data in files:
            if self._parent:
                asked.append(f"ls {self._parent} ".encode() + quoted(path) + b"\n")
            if data is not None and path not in stored:
                mark = self._mark()
                asked += [b"blob\nmark %b\n" % mark, _data(data), b"get-mark %b\n" % mark]
        new = sum(data is not None and path not in stored for path, data in files)
        answers = iter(self._ask(asked, bool(self._parent) * len(files) + new))
        return [self._path_change(path, data, answers, stored) for path, data in files]

    def _path_change(
        self, path: str, data: bytes | None, answers: Iterator[str], stored: Mapping[str, str]
    ) -> PathChange:
        before = _standing(path, next(answers)) if self._parent else ""
        if data is None:
            return PathChange(path, before, "")
        mode = _EXECUTABLE if before.startswith(_EXECUTABLE) else _PLAIN
        return PathChange(path, before, f"{mode} {stored.get(path) or next(answers)}")

    def _commit(self, change: Change, identity: tuple[str, str], paths: list[PathChange]) -> bytes:
        name, email = (part.translate(_NO_BRACKETS) for part in identity)
        seconds = max(0, int(change.at.timestamp()))  # hosts refuse a commit from before 1970
        who = f"{name} <{email}> {seconds} +0000".encode(errors="replace")
        mark = self._mark()
        lines = [b"commit " + self._ref.encode(), b"mark " + mark, b"author " + who]
        blocks = [
            b"\n".join(
                [*lines, b"committer " + who, _data(change.message.encode(errors="replace"))]
            )
        ]
        if self._parent:
            blocks.append(f"from {self._parent}\n".encode())
        for path in paths:
            verb = f"M {path.after} " if path.after else "D "
            blocks.append(verb.encode() + quoted(path.path) + b"\n")
        return b"".join([*blocks, b"\nget-mark %b\n" % mark])

    def _mark(self) -> bytes:
        self._marks += 1
        return b":%d" % self._marks

    def _ask(self, commands: Iterable[bytes], answers: int) -> list[str]:
        self._send(b"".join(commands))
        lines: list[bytes] = [self._process.stdout.readline() for _ in range(answers)]
        if any(not line.endswith(b"\n") for line in lines):
            self._fail()
        return [line.decode(errors="surrogateescape").rstrip("\n") for line in lines]

    def _send(self, data: bytes) -> None:
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except OSError:
            self._fail()

    def _fail(self) -> NoReturn:
        """Raise git's error message, without the crash report that it leaves behind."""
        _, errors = self._process.communicate()
        report: Path = self._repository.git_dir / f"fast_import_crash_{self._process.pid}"
        report.unlink(missing_ok=True)
        raise self._process.failed(self._process.returncode, errors.decode(errors="replace"))


def _check_expected(change: Change, paths: Sequence[PathChange]) -> None:
    for each in paths:
        blob = each.before.partition(" ")[2]
        if change.expected.get(each.path, blob) != blob:
            raise StoreError(
                f"{each.path} was changed by someone else meanwhile; nothing was written. "
                "Look at it again, then repeat"
            )


def _standing(path: str, answer: str) -> str:
    """Return "MODE BLOB" from fast-import's answer to `ls`, "" for nothing."""
    mode, _, rest = answer.partition(" ")
    if mode == "missing":
        return ""
    kind, _, named = rest.partition(" ")
    if kind != "blob":
        raise StoreError(f"{path} is a folder in the last commit; calmkb writes only files")
    return f"{mode} {named.partition(chr(9))[0]}"


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def quoted(path: str) -> bytes:
    """Return a path as fast-import reads it."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode(errors="surrogateescape")
