"""Forgetting: a session, or all of a project, leaves the journal's tip and this machine.

What a person accepted stays: memories are listed where they cite it. So do git's history and the
client's own transcript; that transcript is not taken in again.
"""

from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import NotFoundError
from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.journal.unwrapped import update_note
from calmkb.model import Entry, Memory
from calmkb.model.words import counted
from calmkb.store.caches.drafts import NAME as DRAFTS
from calmkb.store.index.queries import record_ids
from calmkb.store.index.schema import index_path
from calmkb.store.local.forgotten import note_forgotten
from calmkb.store.local.notices import CONTINUATIONS
from calmkb.store.local.reviews import drop_proposed, load_proposed
from calmkb.store.local.session_logs import delete_logs
from calmkb.store.local.sessions import forget_ended
from calmkb.store.signals.store import SignalStore
from calmkb.system.files import disk_told
from calmkb.wings.archive.verbs.status import kept_sessions, remove_kept


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What is to go: agents' ids of sessions, entries by their paths; and memories citing them.

    `forks` are entries that stay, of sessions that repeat how one that goes began.
    """

    sessions: frozenset[str]
    kept: frozenset[str]
    entries: dict[str, Entry]
    signals: int
    cited: tuple[Memory, ...]
    forks: tuple[Entry, ...]


def plan_session(kb: KnowledgeBase, name: str) -> Forgetting:
    """Return what forgetting a session takes: `name` begins an entry's id, or is an agent's id.

    Raises NotFoundError where nothing is known of it, or it may be one of several.
    """
    entries, name = _entries(kb), _named(name)
    exact = [one for one in entries.values() if one.session_id and one.session_id == name]
    found = exact or [one for one in entries.values() if one.id.startswith(name.lower())]
    if len({one.session_id or one.id for one in found}) > 1:
        raise NotFoundError(f"session {name!r} is not unique; give more of the id")
    ids = {one.session_id for one in found if one.session_id} or (
        {name} - {one.id for one in found}
    )
    plan = _plan(kb, entries, ids, {one.id for one in found}, project="")
    if not (plan.entries or plan.kept or plan.signals):
        raise NotFoundError(f"session {name!r} not found; list them with: calmkb session list")
    return plan


def plan_project(kb: KnowledgeBase, name: str) -> Forgetting:
    """Return what forgetting all sessions of a project takes; NotFoundError where it has none."""
    entries, name = _entries(kb), _named(name)
    own = [one for one in entries.values() if one.project_name == name]
    ids = {one.session_id for one in own if one.session_id}
    plan = _plan(kb, entries, ids, {one.id for one in own}, project=name)
    if not (plan.entries or plan.kept):
        raise NotFoundError(f"no session of {name!r}; list projects with: calmkb project list")
    return plan


def forget(kb: KnowledgeBase, plan: Forgetting) -> str:
    """Forget what was planned; return the commit that took the entries out, "" for none.

    Killed half-way, it is ended by doing it again: the entries, which name it, go last.
    """
    state, ids, commit = kb.environment.state, {one.id for one in plan.entries.values()}, ""
    for folder in {kb.environment.own, state}:
        note_forgotten(folder, plan.sessions)
    delete_logs(state, tuple(ids))
    for session_id in plan.sessions:
        forget_ended(state, session_id)
    SignalStore(state).forget(plan.sessions)
    remove_kept(kb.environment, plan.sessions)
    points.sessions_done(kb, ids)
    waiting = load_proposed(state, kb.root)
    drop_proposed(state, kb.root, [one.id for one in waiting if ids & set(one.sources)])
    (state / CONTINUATIONS).unlink(missing_ok=True)  # quotes summaries; the status line says less
    if ids:
        message = f"calmkb: forget {counted(len(ids), 'entry', 'entries')}"
        commit = kb.save(dict.fromkeys(plan.entries), message).id
    _remove_caches(kb)
    update_note(kb)
    return commit


def _named(name: str) -> str:
    if not name.strip():
        raise NotFoundError("nothing is named; list sessions with: calmkb session list")
    return name.strip()


def _entries(kb: KnowledgeBase) -> dict[str, Entry]:
    """Return the journal's entries by their paths."""
    if not kb.journal.is_dir():
        return {}
    kb.catch_up()
    paths = {
        identity: path for path, kind, identity in kb.with_index(record_ids) if kind == "session"
    }
    views = read_contents(kb, "session").sessions
    return {paths[one.entry.id]: one.entry for one in views if one.entry.id in paths}


def _plan(
    kb: KnowledgeBase, entries: dict[str, Entry], ids: set[str], named: set[str], *, project: str
) -> Forgetting:
    kept = frozenset(kept_sessions(kb.environment, ids, project))
    ids |= kept
    doomed = {
        path: one for path, one in entries.items() if one.id in named or one.session_id in ids
    }
    gone = {one.id for one in doomed.values()}
    memories = read_contents(kb, "memory").memories if gone else ()
    cited = tuple(one for one in memories if gone & set(one.sources))
    signals = sum(one.session_id in ids for one in SignalStore(kb.environment.state).query())
    begun = {mark for one in doomed.values() for mark in one.thread}
    stay = [one for path, one in entries.items() if path not in doomed]
    forks = tuple(one for one in stay if begun & set(one.thread))
    return Forgetting(frozenset(ids), kept, doomed, signals, cited, forks)


def _remove_caches(kb: KnowledgeBase) -> None:
    """Remove what is made again from what is left: a row that is deleted may stay in the file."""
    index = index_path(kb.journal)
    caches = Path(index).parent.glob("*.sqlite*") if index else ()
    for place in (*kb.environment.state.glob(f"{DRAFTS}*"), *caches):
        with disk_told(f"remove {place}"):
            place.unlink(missing_ok=True)
