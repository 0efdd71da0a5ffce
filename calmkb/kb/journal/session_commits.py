"""Which commits a session made, and which session made a commit."""

from collections.abc import Sequence

from calmkb.errors import CalmError, NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index
from calmkb.kb.journal.sessions import get_session, views_of
from calmkb.model import COMMITS_LIMIT, SessionContent, SessionView
from calmkb.store.git.named_commits import NamedCommit, named_commit, named_commits
from calmkb.store.git.repository import find_repository
from calmkb.store.index.queries import sessions_with_commits

_SHORTEST, _SHOWN = 7, 12


def commits_made(kb: KnowledgeBase, given: SessionContent) -> tuple[str, ...]:
    """Return the ids of the commits that a session made, as its transcript shows them.

    Sessions often work in one folder at a time, so a commit's time says nothing: without a
    transcript none is taken.
    """
    if given.commits or not given.session_id:
        return given.commits[-COMMITS_LIMIT:]
    from calmkb.capture.draft.commits import commits_in
    from calmkb.capture.formats.table import read_transcript
    from calmkb.kb.journal.raw_log import latest_transcript

    try:
        path = latest_transcript(kb, session_id=given.session_id)
        made = commits_in(read_transcript(path))
    except CalmError:  # the words are worth more than the link
        return ()
    return tuple(one.id for one in made)[-COMMITS_LIMIT:]


def commit_lines(kb: KnowledgeBase, ids: Sequence[str]) -> list[str]:
    """Return each commit with its subject, if the repository around the folder has it."""
    repository = find_repository(kb.environment.cwd) if ids else None
    here = named_commits(repository, ids) if repository else []
    return [_line(one, here) for one in ids]


def session_of(kb: KnowledgeBase, name: str) -> SessionView:
    """Return the session that made a commit; NotFoundError where none is known to have.

    A commit that was rebased or cherry-picked is known by its author, time and subject.
    """
    repository = find_repository(kb.environment.cwd)
    wanted = named_commit(repository, name) if repository else None
    identity = wanted.id if wanted else name.strip().lower()
    found = ask_index(kb, sessions_with_commits)
    views = views_of(kb, found)
    for view in views:
        if any(_same(identity, one) for one in view.entry.commits):
            return view
    if wanted and (named := _by_trailer(kb, wanted)):
        return named
    if wanted and repository:
        for view in views:
            earlier = named_commits(repository, view.entry.commits)
            if any(one.origin == wanted.origin for one in earlier):
                return view
    raise NotFoundError(
        f"no session is known to have made commit {name!r}; a session names the commits that its"
        " transcript shows, list sessions with: calmkb session list"
    )


def _by_trailer(kb: KnowledgeBase, commit: NamedCommit) -> SessionView | None:
    for identity in commit.entries:
        try:
            return get_session(kb, identity)
        except NotFoundError:
            continue
    if not commit.sessions:
        return None
    found = ask_index(kb, lambda index: sessions_with_commits(index, commit.sessions))
    return next(iter(views_of(kb, found)), None)


def _same(one: str, other: str) -> bool:
    """Return whether two ids, each perhaps abbreviated, name one commit."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST and long.startswith(short)


def _line(identity: str, here: Sequence[NamedCommit]) -> str:
    found = next((one for one in here if one.id.startswith(identity)), None)
    return f"{identity[:_SHOWN]} {found.subject}" if found else identity[:_SHOWN]
