"""Which entries tell of the same session of an agent, and which of them is shown."""

import hashlib
import uuid

from calmkb.model.sessions.entries import Entry


def session_key(entry: Entry) -> str | None:
    """Return what all entries of one session share; None where the session is not known."""
    return f"{entry.agent}\0{entry.session_id}" if entry.session_id else None


def imported_id(agent: str, session_id: str) -> str:
    """Return an import's id: the same for the same session on every machine, in UUID4's form."""
    digest = hashlib.sha256(f"{agent}\0{session_id}".encode(errors="replace")).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def is_written(entry: Entry) -> bool:
    """Whether a person or an agent wrote the entry; an import drafts it from the transcript.

    What was written is shown in place of a draft, also where the draft came later.
    """
    return entry.id != imported_id(entry.agent, entry.session_id)
