"""All that a knowledge base asks for at once, for `calmkb agents trust` and for doctor."""

from calmkb.kb.base.approvals import open_requests
from calmkb.kb.base.filtering import allowance_requests
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.own_records import session_request
from calmkb.kb.base.points import approvals_needed
from calmkb.kb.journal.continuation import pending_sessions
from calmkb.kb.trust.programs import agent_request, analysts_request
from calmkb.model.trust import TrustRequest


def all_requests(kb: KnowledgeBase) -> tuple[TrustRequest, ...]:
    """Return what the settings ask for, approved or not, and the hand-overs that are not approved.

    Those that this machine wrote ask for nothing. The memories of an export to the home are asked
    about where that export is made.
    """
    agents = (one for name in kb.config.agents for one in agent_request(kb, name))
    sessions = open_requests(kb, [session_request(entry) for entry in pending_sessions(kb)])
    return (
        *allowance_requests(kb),
        *analysts_request(kb),
        *agents,
        *approvals_needed(kb),
        *sessions,
    )
