"""Approvals of this person on this machine, outside every repository.

One JSON object a line, only ever appended: `allow`, `revoke`, or `written` for a record that this
machine wrote itself. The last line on a hash decides. A line that cannot be read allows nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from calmkb.model.trust import Grant
from calmkb.store.local.state_files import add_rows, record_of, rows_in

NAME = "trust.jsonl"


def allows(folder: Path, knowledge_base: str, sha256: str) -> bool:
    """Return whether the content with this hash was approved or written on this machine."""
    last = ""
    for action, grant in _lines(folder):
        if (grant.knowledge_base, grant.sha256) == (knowledge_base, sha256):
            last = action
    return last in ("allow", "written")


def note(folder: Path, action: str, grants: Sequence[Grant]) -> None:
    """Append a line for each of `grants`; StoreError where the disk refuses."""
    add_rows(folder / NAME, [{"action": action, **asdict(one)} for one in grants])


def grants_in(folder: Path) -> tuple[Grant, ...]:
    """Return the approvals in force, of every knowledge base, in the order they were given."""
    found: dict[tuple[str, str], Grant] = {}
    for action, grant in _lines(folder):
        key = (grant.knowledge_base, grant.sha256)
        found.pop(key, None)
        if action == "allow":
            found[key] = grant
    return tuple(found.values())


def _lines(folder: Path) -> Iterator[tuple[str, Grant]]:
    for row in rows_in(folder / NAME):
        if isinstance(row.get("action"), str) and (grant := record_of(Grant, row)):
            yield row["action"], grant
