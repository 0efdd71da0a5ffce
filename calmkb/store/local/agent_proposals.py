"""Memories that agents proposed, kept on this machine until a person has decided.

One file each, written whole: two agents can propose at once, and a killed one loses nothing.
"""

from collections.abc import Iterable
from pathlib import Path

from calmkb.documents import parse, render
from calmkb.errors import RecordError, StoreError
from calmkb.model import Memory
from calmkb.store.local.open_reviews import place_of
from calmkb.system.files import read_bytes, write_atomically

MOST = 200
"""Proposals that may wait for one knowledge base: more than anybody reviews in a sitting."""
_SIZE = 256 * 1024


def add_proposed(state: Path, root: Path, memory: Memory) -> None:
    """Keep a memory that waits for a review; StoreError where too many wait or it is too long."""
    folder = _folder(state, root)
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
    for path in _files(_folder(state, root)):
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
        (_folder(state, root) / f"{identity}.md").unlink(missing_ok=True)


def _folder(state: Path, root: Path) -> Path:
    return place_of(state, root, ".proposed").with_suffix("")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.md")) if folder.is_dir() else []
