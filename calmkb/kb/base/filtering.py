"""Values that the settings exempt from the secret filter."""

from typing import TYPE_CHECKING

from calmkb.config import Allowed
from calmkb.kb.base.approvals import is_approved
from calmkb.model.trust import TrustRequest

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase

_REASON = "values that match this pattern are committed as they are, even if they are secrets"


def allowance_requests(kb: "KnowledgeBase") -> tuple[TrustRequest, ...]:
    """Return the approvals that `redact.allow` needs, one for each pattern."""
    return tuple(_request(item) for item in kb.config.redact.allow)


def approved_patterns(kb: "KnowledgeBase") -> tuple[str, ...]:
    """Return the patterns of `redact.allow` that are in force: approved on this machine."""
    return tuple(item.pattern for item in kb.config.redact.allow if is_approved(kb, _request(item)))


def filter_notes(kb: "KnowledgeBase") -> tuple[str, ...]:
    """Return a line on each pattern that the filter spares, and on each that it ignores."""
    active = approved_patterns(kb)
    return tuple(
        f"the secret filter spares values like {item.pattern!r} ({item.reason}); you allowed that "
        "on this machine; take it back with: calmkb agents trust revoke"
        if item.pattern in active
        else f"redact.allow names {item.pattern!r}, which you have not allowed on this machine: "
        "it is ignored; review it with: calmkb agents trust"
        for item in kb.config.redact.allow
    )


def _request(item: Allowed) -> TrustRequest:
    content = f"pattern: {item.pattern}\nreason: {item.reason}"
    return TrustRequest("filter", "redact.allow", _REASON, content)
