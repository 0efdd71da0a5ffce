"""Whether what an agent proposes stands alone and quotes the session that it names."""

from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.raw_log import log_text
from calmkb.kb.journal.sessions import get_session
from calmkb.reflect.analysts.questions import SessionReading
from calmkb.reflect.analysts.quotes import session_of_quote
from calmkb.reflect.opposites.ephemeral import why_ephemeral
from calmkb.reflect.proposals.duplicates import Candidate
from calmkb.reflect.statements.alone import why_not_alone

UNQUOTED = "it quotes what its session does not say"


def why_not_proposed(kb: KnowledgeBase, candidate: Candidate) -> str:
    """Return why a person should not be asked about it, or nothing where they may be.

    A quote is looked for in the entry and the log of its session; none given, none is looked for.
    """
    of_the_moment = why_ephemeral(candidate.content) or why_not_alone(candidate.content)
    if of_the_moment or not candidate.quote:
        return of_the_moment
    return "" if _is_quoted(kb, candidate) else UNQUOTED


def _is_quoted(kb: KnowledgeBase, candidate: Candidate) -> bool:
    try:
        view = get_session(kb, candidate.session)
        log = log_text(Path(view.log_path), full=True) if view.log_path else ""
    except CalmError:  # no such session, or a log that cannot be read
        return False
    said = {view.entry.id: SessionReading(view, log).text}
    return bool(session_of_quote(candidate.quote, view.entry.id, said))
