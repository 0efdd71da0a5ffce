"""What waits for a review on this machine: decisions, and agents' proposals.

A decision is kept under the id of its proposal, which changes with the words and the evidence: what
was approved is what will be written, or the question comes again.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from calmkb.documents import parse, render
from calmkb.errors import RecordError, StoreError
from calmkb.model import Decision, Memory
from calmkb.store.local.state_files import load, record_of, save
from calmkb.system.files import read_bytes, write_atomically

MOST = 200
"""Proposals that may wait for one knowledge base: more than anybody reviews in a sitting."""
_SIZE = 256 * 1024


def place_of(state: Path, root: Path, kind: str = "") -> Path:
    """Return where this machine keeps what waits for a review of the knowledge base at `root`."""
    name = hashlib.sha256(str(root).encode(errors="replace")).hexdigest()[:16]
    return state / "reviews" / f"{name}{kind}.json"


def save_review(
    state: Path, root: Path, acts: Sequence[Sequence[Decision]], name: str = ""
) -> None:
    """Keep the decisions taken so far on the knowledge base at `root`; none removes the file.

    They are kept in their order, those of one act together, so that each act can be undone.

    Raises StoreError where the disk refuses.
    """
    rows = [asdict(item) | {"act": n} for n, made in enumerate(acts) for item in made]
    save_or_drop(place_of(state, root, name), rows, durable=False)


def load_review(state: Path, root: Path, name: str = "") -> list[list[Decision]]:
    """Return the acts kept; none where there are none or the file is not ours."""
    rows = load(place_of(state, root, name))
    acts: dict[str, list[Decision]] = {}
    for place, row in enumerate(rows if isinstance(rows, list) else []):
        found = record_of(Decision, row)
        if found and (found.importance is None or 0 <= found.importance <= 1):
            acts.setdefault(str(row.get("act", -place - 1)), []).append(found)
    return list(acts.values())


def add_proposed(state: Path, root: Path, memory: Memory) -> None:
    """Keep a memory that an agent proposed; StoreError where too many wait or it is too long.

    One file each, written whole: two agents can propose at once, and a killed one loses nothing.
    """
    folder = _proposed(state, root)
    if len(_files(folder)) >= MOST:
        raise StoreError(
            f"{MOST} proposals wait already, so this one was not kept; "
            "a person decides on them with: calmkb reflect"
        )
    data = render(memory).encode(errors="replace")
    if len(data) > _SIZE:
        raise StoreError(
            f"the proposal takes {len(data):,} bytes with its evidence, {_SIZE:,} at most; "
            "shorten its text or name fewer sources"
        )
    write_atomically(folder / f"{memory.id}.md", data, mode=0o600)


def load_proposed(state: Path, root: Path) -> list[Memory]:
    """Return the memories that wait, oldest first; a file that is none of ours is skipped."""
    found = []
    for path in _files(_proposed(state, root)):
        try:
            record = parse(read_bytes(path, limit=_SIZE).decode(), "memories/fact/proposed.md")
        except (RecordError, StoreError, UnicodeDecodeError):
            continue
        if isinstance(record, Memory) and record.id == path.stem:
            found.append(record)
    return sorted(found, key=lambda memory: (memory.created_at, memory.id))


def drop_proposed(state: Path, root: Path, ids: Iterable[str]) -> None:
    """Forget the memories that were decided on."""
    for identity in ids:
        (_proposed(state, root) / f"{identity}.md").unlink(missing_ok=True)


def end_review(state: Path, root: Path, ids: Iterable[str]) -> None:
    """Forget the decisions of a review that is written, and the memories that were decided on."""
    place_of(state, root).unlink(missing_ok=True)
    drop_proposed(state, root, ids)


def save_or_drop(path: Path, rows: object, *, durable: bool = True) -> None:
    """Save `rows`; none removes the file."""
    if rows:
        save(path, rows, durable=durable)
    else:
        path.unlink(missing_ok=True)


def _proposed(state: Path, root: Path) -> Path:
    return place_of(state, root, ".proposed").with_suffix("")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.md"))
