"""Approvals of this person on this machine, outside every repository.

One JSON object a line, only ever appended: `allow`, `revoke`, or `written` for a record that this
machine wrote itself. The last line on a hash decides. A line that cannot be read allows nothing.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.model.trust import Grant, TrustRequest
from calmkb.system.files import append_lines

NAME = "trust.jsonl"
_TEXTS = ("action", "at", "knowledge_base", "kind", "subject", "sha256")
_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TrustStore:
    """The approvals in `folder`, as far as they concern `knowledge_base`."""

    folder: Path
    knowledge_base: str

    def allows(self, sha256: str) -> bool:
        """Return whether the content with this hash was approved or written on this machine."""
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
    append_lines(path, "".join(json.dumps(row) + "\n" for row in rows).encode())


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
