"""Records that reach an agent outside a review: written on this machine, or approved on it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from calmkb.errors import RecordError
from calmkb.kb.base.approvals import note_written
from calmkb.model.trust import TrustRequest

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.model import Continuation, Entry, Memory

_CONTINUED = b"needs_continuation: true"


def session_request(entry: "Entry | Continuation") -> TrustRequest:
    """Return the approval that the hand-over of a session needs before an agent reads it."""
    steps = "\n".join(f"- {step}" for step in entry.next_steps)
    return TrustRequest(
        "session",
        f"session {entry.id[:8]}",
        f"an agent that starts in {entry.project_name} reads this text",
        f"{entry.id}\n{entry.project_name}\n{entry.summary}\n{steps}",
    )


def memory_request(memory: "Memory") -> TrustRequest:
    """Return the approval that a memory needs before it holds in every project of this person."""
    return TrustRequest(
        "memory",
        f"memory {memory.id[:8]}",
        "agents in every project on this machine read this text",
        f"{memory.id}\n{memory.category}, {memory.scope}\n{memory.text}",
    )


def note_own_records(kb: "KnowledgeBase", files: Mapping[str, bytes | None]) -> None:
    """Remember the memories and hand-overs among `files`, which this machine has just written."""
    note_written(kb, [one for path, data in files.items() for one in _requests(path, data)])


def _requests(path: str, data: bytes | None) -> Sequence[TrustRequest]:
    if data is None or not (path.startswith("memories/") or _CONTINUED in data):
        return ()
    # The start of a session asks for approvals alone, and need not wait for the codec.
    from calmkb.documents import kind_of, parse
    from calmkb.model import Entry, Memory

    if kind_of(path) is None:
        return ()
    try:
        record = parse(data.decode(), path)
    except (RecordError, UnicodeDecodeError):
        return ()
    if isinstance(record, Memory):
        return (memory_request(record),)
    return (session_request(record),) if isinstance(record, Entry) else ()
