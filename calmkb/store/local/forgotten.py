"""Sessions that a person had forgotten: what reads transcripts by itself passes them over."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from calmkb.store.local.state_files import add_rows, rows_in

_FILE = "forgotten.jsonl"


def note_forgotten(state: Path, session_ids: Iterable[str]) -> None:
    """Remember sessions by a digest of the id that their agent gave them."""
    add_rows(state / _FILE, ({"session": _digest(one)} for one in sorted(session_ids)))


def forgotten(state: Path) -> Callable[[str], bool]:
    """Return what tells of an agent's id of a session whether a person had it forgotten."""
    known = {row.get("session") for row in rows_in(state / _FILE)}
    return lambda session_id: bool(known) and _digest(session_id) in known


def _digest(session_id: str) -> str:
    return sha256(session_id.encode(errors="replace")).hexdigest()[:32]
