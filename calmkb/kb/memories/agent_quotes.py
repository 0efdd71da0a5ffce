"""Whether what an agent proposes stands alone and quotes the session that it names."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.raw_log import log_text
from calmkb.kb.journal.sessions import get_session
from calmkb.reflect.opposites.ephemeral import why_ephemeral
from calmkb.reflect.proposals.duplicates import Candidate
from calmkb.reflect.proposals.from_agents import session_of_quote, texts_of
from calmkb.reflect.statements.alone import why_not_alone

UNQUOTED = "its quote is not in the session"


def why_not_proposed(kb: KnowledgeBase, candidates: Sequence[Candidate]) -> list[str]:
    """Return why a person should not be asked about each, "" where they may be.

    A quote is looked for in the entry and the log of its session, each read once; none given, none
    is looked for.
    """
    words_of = cache(lambda session: _words_of(kb, session))
    return [_why(one, words_of) for one in candidates]


def _why(candidate: Candidate, words_of: Callable[[str], str]) -> str:
    of_the_moment = why_ephemeral(candidate.content) or why_not_alone(candidate.content)
    if of_the_moment or not candidate.quote:
        return of_the_moment
    sources = {candidate.session: words_of(candidate.session)}
    return "" if session_of_quote(candidate.quote, candidate.session, sources) else UNQUOTED


def _words_of(kb: KnowledgeBase, session: str) -> str:
    """Return all that a session says; nothing where there is none, or it cannot be read."""
    try:
        view = get_session(kb, session)
        log = log_text(Path(view.log_path), full=True) if view.log_path else ""
    except CalmError:
        return ""
    return "\n".join((*texts_of(view.entry), log))
