"""What a repository asks this person to allow, and what was allowed."""

import hashlib
import json
from dataclasses import dataclass
from typing import Literal

TrustKind = Literal["program", "filter", "site", "session", "memory", "check"]


@dataclass(frozen=True, slots=True)
class TrustRequest:
    """One thing that a repository's settings or records may do only with approval.

    `subject` names the setting or record, `reason` says what would happen, and `content` is what
    the approval is bound to: shown whole, and hashed.
    """

    kind: TrustKind
    subject: str
    reason: str
    content: str

    @property
    def sha256(self) -> str:
        """The 64 hexadecimal digits that an approval names; `reason` is ours and not in it."""
        bound = json.dumps([self.kind, self.subject, self.content], ensure_ascii=True)
        return hashlib.sha256(bound.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Grant:
    """An approval on this machine: when (ISO 8601, UTC), for which knowledge base, of what."""

    at: str
    knowledge_base: str
    kind: str
    subject: str
    sha256: str
