"""What is about to happen, written down before the branch moves, so that nothing stays half done.

The file exists only while an import runs, or after one could not be finished: a process was killed,
or a person held the index.
"""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.commits.changes import PathChange
from calmkb.store.commits.fast_import import FastImport
from calmkb.store.commits.spool import Record
from calmkb.store.git.attributes import store_converted
from calmkb.store.git.repository import Repository
from calmkb.system.files import write_atomically


@dataclass(frozen=True, slots=True)
class Intent:
    """Commits (ticket → id) on top of `base`, and paths to bring into the work tree after them.

    `unfinished` are paths of earlier commits, in history for certain; `mover` is the process of git
    that moves the branch.
    """

    branch: str = ""
    base: str | None = None
    commits: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[PathChange, ...] = ()
    unfinished: tuple[PathChange, ...] = ()
    mover: int = 0

    @property
    def tip(self) -> str:
        """The last of the commits; "" where there are none."""
        return list(self.commits.values())[-1] if self.commits else ""


def begin(
    repository: Repository, run: FastImport, intent: Intent, records: Sequence[Record]
) -> Intent:
    """Return the intent with a commit for each record, which `run` has written to disk."""
    run.begin_at(intent.base)
    commits: dict[str, str] = {}
    paths: list[PathChange] = []
    for record in records:
        converted = store_converted(repository, record.change.files)
        commits[record.ticket], changed = run.add(record.change, record.identity, converted)
        paths += changed
    run.write()
    return replace(intent, commits=commits, paths=tuple(paths), mover=run.mover)


def read_intent(path: Path) -> Intent | None:
    """Return what is written at `path`, or None; raise StoreError where it cannot be read."""
    try:
        known = json.loads(path.read_bytes())
        known["paths"] = tuple(PathChange(**each) for each in known["paths"])
        known["unfinished"] = tuple(PathChange(**each) for each in known["unfinished"])
        return Intent(**known)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"cannot read {path} ({error}); see `git status`, then delete that file"
        ) from error


def write_intent(path: Path, intent: Intent) -> None:
    """Put `intent` on disk, name and all; raise StoreError where the disk refuses."""
    write_atomically(path, json.dumps(asdict(intent)).encode())


def drop_intent(path: Path) -> None:
    """Forget it; where the disk refuses, the next write looks again and finds all done."""
    with contextlib.suppress(OSError):
        path.unlink()
