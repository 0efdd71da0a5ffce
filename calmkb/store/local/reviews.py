"""What waits for a review on this machine: decisions, analysts' answers, and agents' proposals.

A decision is kept under the id of its proposal, which changes with the words and the evidence: what
was approved is what will be written, or the question comes again.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from calmkb.documents import parse, render
from calmkb.errors import RecordError, StoreError
from calmkb.model import Decision, Insight, Memory
from calmkb.store.local.state_files import load, record_of, records_of, save
from calmkb.system.files import read_bytes, write_atomically

MOST = 200
"""Proposals that may wait for one knowledge base: more than anybody reviews in a sitting."""
_SIZE = 256 * 1024


@dataclass(frozen=True, slots=True)
class AnalystAnswers:
    """What analysts found, and the ids of the sessions that they have read."""

    insights: tuple[Insight, ...] = ()
    read: frozenset[str] = frozenset()

    def without(self, entries: Collection[str]) -> "AnalystAnswers":
        """Return what is left once these sessions are reflected on."""
        left = tuple(one for one in self.insights if one.session not in entries)
        return AnalystAnswers(left, self.read.difference(entries))


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
    _save(place_of(state, root, name), rows, durable=False)


def load_review(state: Path, root: Path, name: str = "") -> list[list[Decision]]:
    """Return the acts kept; none where there are none or the file is not ours."""
    rows = load(place_of(state, root, name))
    acts: dict[str, list[Decision]] = {}
    for place, row in enumerate(rows if isinstance(rows, list) else []):
        found = record_of(Decision, row)
        if found and (found.importance is None or 0 <= found.importance <= 1):
            acts.setdefault(str(row.get("act", -place - 1)), []).append(found)
    return list(acts.values())


def save_answers(state: Path, root: Path, answers: AnalystAnswers) -> None:
    """Keep the answers into the knowledge base at `root`; none removes the file."""
    kept = {"read": sorted(answers.read), "insights": answers.insights}
    _save(place_of(state, root, ".insights"), kept if any(kept.values()) else None)


def load_answers(state: Path, root: Path) -> AnalystAnswers:
    """Return the answers kept; none where there are none or the file is not ours."""
    kept = load(place_of(state, root, ".insights"))
    kept = kept if isinstance(kept, dict) else {}
    insights = records_of(Insight, kept.get("insights"))
    read = kept.get("read")
    return AnalystAnswers(
        tuple(one for one in insights if 0 <= one.importance <= 1),
        frozenset(one for one in (read if isinstance(read, list) else []) if isinstance(one, str)),
    )


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


def _save(path: Path, rows: object, *, durable: bool = True) -> None:
    if rows:
        save(path, rows, durable=durable)
    else:
        path.unlink(missing_ok=True)


def _proposed(state: Path, root: Path) -> Path:
    return place_of(state, root, ".proposed").with_suffix("")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.md"))
