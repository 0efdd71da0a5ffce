"""What other people's settings and records may do here only with this person's approval.

Read `approval` first (granted, required, revoked), then the kinds: `programs`, `filtering`,
`site_code`, `records`; `asked` lists them all. Approvals are kept in ~/.calm, bound to the content
that was shown.
"""

from calmkb.kb.base.approvals import (
    NeedsApprovalError,
    approve,
    grants,
    is_approved,
    open_requests,
    require,
    revoke_all,
    revoke_grants,
)

__all__ = [
    "NeedsApprovalError",
    "approve",
    "grants",
    "is_approved",
    "open_requests",
    "require",
    "revoke_all",
    "revoke_grants",
]
