"""Changes that wait to be committed, each a file on disk before anybody works on it.

A ticket's file is NAME.record while it waits, NAME.taken once the holder of the write lock works on
it; the answer comes as NAME.result. A rename decides between a writer that gives up and the holder
that takes: one of them finds the file gone.
"""

import contextlib
import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.store.commits.changes import Change, Commit
from calmkb.system.files import write_atomically

_UNFETCHED = 600
"""Seconds after which nobody waits for an answer any more: a writer gives up after sixty."""


@dataclass(frozen=True, slots=True)
class Record:
    """A change in the spool; `doubtful` if a process that was killed may have committed it."""

    ticket: str
    branch: str
    identity: tuple[str, str]
    change: Change
    doubtful: bool = False


Outcome = Commit | StoreError


@dataclass(frozen=True, slots=True)
class Spool:
    """The folder of waiting changes; all its writes raise StoreError where the disk refuses."""

    folder: Path

    def put(self, branch: str, identity: tuple[str, str], change: Change) -> str:
        """Keep `change` on disk, whole or not at all, and return its ticket."""
        ticket = f"{time.time_ns():020}-{uuid.uuid4().hex}"
        blobs = [(path, data) for path, data in change.files.items()]
        head = {
            "branch": branch,
            "identity": identity,
            "message": change.message,
            "at": change.at.isoformat(),
            "expected": dict(change.expected),
            "repeated": change.repeated,
            "files": [[path, None if data is None else len(data)] for path, data in blobs],
        }
        body = b"".join(data for _, data in blobs if data is not None)
        write_atomically(self._path(ticket, "record"), json.dumps(head).encode() + b"\n" + body)
        return ticket

    def withdraw(self, ticket: str) -> bool:
        """Take a waiting change back; return False where the lock's holder has it already."""
        try:
            self._path(ticket, "record").unlink()
        except OSError:
            return False
        return True

    def take(self, branch: str) -> list[Record]:
        """Take all that waits for `branch`, oldest first; for the holder of the lock alone.

        A file that does not read, as a failing disk leaves it, is set aside as NAME.broken.
        """
        records = []
        for ticket, state in self._waiting():
            found = self._path(ticket, state)
            try:
                record = _parse(ticket, found.read_bytes(), doubtful=state == "taken")
                if record.branch != branch:
                    continue
                found.replace(self._path(ticket, "taken"))
            except FileNotFoundError:
                continue  # withdrawn in this moment
            except OSError as error:
                raise StoreError(f"cannot take {found}: {error.strerror or error}") from error
            except (ValueError, KeyError, TypeError):
                found.replace(self._path(ticket, "broken"))
                continue
            records.append(record)
        return records

    def taken(self) -> list[Change]:
        """Return the changes that a holder of the lock took and has not answered."""
        changes = []
        for path in sorted(self.folder.glob("*.taken")):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                changes.append(_parse(path.stem, path.read_bytes(), doubtful=True).change)
        return changes

    def _waiting(self) -> list[tuple[str, str]]:
        """Return (ticket, state) in order, and clear away what killed writers left."""
        waiting = []
        for found in self.folder.iterdir():
            if found.suffix in {".record", ".taken"}:
                waiting.append((found.stem, found.suffix[1:]))
            elif found.suffix == ".result" or found.name.startswith("."):
                with contextlib.suppress(OSError):
                    if found.stat().st_mtime < time.time() - _UNFETCHED:
                        found.unlink()
        return sorted(waiting)

    def answer(self, ticket: str, outcome: Outcome) -> None:
        """Tell the ticket's writer the outcome of its change.

        A refusal forgets the change first: killed between, it must not be tried again.
        """
        if isinstance(outcome, StoreError):
            self.forget(ticket)
            answer = {"error": str(outcome)}
        else:
            answer = {"id": outcome.id, "warning": outcome.warning}
        write_atomically(self._path(ticket, "result"), json.dumps(answer).encode(), durable=False)

    def holds(self, ticket: str) -> bool:
        """Return whether a taken change is still to be answered."""
        return self._path(ticket, "taken").exists()

    def forget(self, ticket: str) -> None:
        """Drop a change that is done with; OSError is left for the next holder of the lock."""
        with contextlib.suppress(OSError):
            self._path(ticket, "taken").unlink()

    def fetch(self, ticket: str) -> Outcome | None:
        """Return the answer for `ticket` and clear it away, or None while there is none."""
        path = self._path(ticket, "result")
        try:
            answer = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
        with contextlib.suppress(OSError):
            path.unlink()
        return (
            StoreError(answer["error"])
            if "error" in answer
            else Commit(answer["id"], answer["warning"])
        )

    def _path(self, ticket: str, state: str) -> Path:
        return self.folder / f"{ticket}.{state}"


def _parse(ticket: str, content: bytes, *, doubtful: bool) -> Record:
    """Return the record in `content`; raise ValueError, KeyError or TypeError on a torn one."""
    line, _, body = content.partition(b"\n")
    head = json.loads(line)
    files = dict(_split(head["files"], body))
    at = datetime.fromisoformat(head["at"])
    repeated = bool(head.get("repeated"))
    change = Change(files, head["message"], at, head.get("expected", {}), repeated)
    name, email = head["identity"]
    return Record(ticket, head["branch"], (name, email), change, doubtful or repeated)


def _split(files: list[tuple[str, int | None]], body: bytes) -> Iterator[tuple[str, bytes | None]]:
    start = 0
    for path, length in files:
        if length is None:
            yield path, None
            continue
        yield path, body[start : start + length]
        start += length
    if start != len(body):
        raise ValueError(f"{len(body)} bytes where {start} were promised")
