"""Approvals of this person on this machine, outside every repository.

One JSON object a line, only ever appended: `allow`, `revoke`, or `written` for a record that this
machine wrote itself. The last line on a hash decides. A line that cannot be read allows nothing.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.model.trust import Grant, TrustRequest

NAME = "trust.jsonl"
_TEXTS = ("action", "at", "knowledge_base", "kind", "subject", "sha256")
_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TrustStore:
    """The approvals in `folder`, as far as they concern `knowledge_base`."""

    folder: Path
    knowledge_base: str

    def allows(self, sha256: str) -> bool:
        """Tell whether the content with this hash was approved or written on this machine."""
        last = ""
        for row in _rows(self.folder / NAME):
            if (row["knowledge_base"], row["sha256"]) == (self.knowledge_base, sha256):
                last = row["action"]
        return last in ("allow", "written")

    def add(self, action: str, requests: Sequence[TrustRequest], at: str) -> None:
        """Append a line for each request; StoreError where the disk refuses."""
        lines = [
            {"action": action, "at": at, "knowledge_base": self.knowledge_base,
             "kind": one.kind, "subject": one.subject, "sha256": one.sha256}
            for one in requests
        ]  # fmt: skip
        _append(self.folder / NAME, lines)


def grants_in(folder: Path) -> tuple[Grant, ...]:
    """Return the approvals in force, of every knowledge base, in the order they were given."""
    found: dict[tuple[str, str], Grant] = {}
    for row in _rows(folder / NAME):
        key = (row["knowledge_base"], row["sha256"])
        found.pop(key, None)
        if row["action"] == "allow":
            found[key] = Grant(**{name: row[name] for name in _TEXTS if name != "action"})
    return tuple(found.values())


def revoke(folder: Path, grants: Sequence[Grant], at: str) -> None:
    """Append a line that takes back each of `grants`; StoreError where the disk refuses."""
    _append(
        folder / NAME,
        [
            {"action": "revoke", "at": at, "knowledge_base": one.knowledge_base,
             "kind": one.kind, "subject": one.subject, "sha256": one.sha256}
            for one in grants
        ],
    )  # fmt: skip


def _append(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Append whole lines in one write, so that two processes never mix theirs."""
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, flags, 0o600)
        try:
            data = _after_torn_line(path) + data
            written = os.write(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
    if written < len(data):
        raise StoreError(f"cannot write {path}: the disk is full")


def _after_torn_line(path: Path) -> bytes:
    """Return the line feed that a line cut off by a full disk still needs, or nothing."""
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return b""
        file.seek(-1, os.SEEK_END)
        return b"" if file.read() == b"\n" else b"\n"


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open("rb") as file:
            data = file.read(_LIMIT)
    except OSError:
        return
    for line in data.split(b"\n"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict) and all(isinstance(row.get(name), str) for name in _TEXTS):
            yield row
