"""`stats`: what a knowledge base holds and what came of it, counted from its records."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from statistics import median
from typing import Any

from calmkb.kb.base.cache_paths import derived_cache
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index
from calmkb.kb.export.digests import open_source
from calmkb.kb.export.preview import own_previews
from calmkb.kb.journal.sessions import Contents, read_contents, read_memories
from calmkb.kb.memories.backtest import backtests
from calmkb.kb.memories.show import confidence_of
from calmkb.kb.search.friction import friction_themes, session_texts
from calmkb.kb.search.methods import method_of
from calmkb.model import (
    CATEGORIES,
    CONFIDENCES,
    HELPED,
    IMPROVEMENT_STATES,
    DigestPreview,
    Reflection,
    SessionView,
    Statistics,
    Theme,
)
from calmkb.model.memories.backtest import Backtest
from calmkb.reflect.memo import memoized
from calmkb.store.index.index import Index
from calmkb.system.sources import sources_crc

_RECURRING = 2


def statistics(kb: KnowledgeBase) -> Statistics:
    """Return the counts; a knowledge base that does not exist has none of anything.

    What the records alone tell is kept: where none changed, no session is read again.
    """
    memories = read_memories(kb)
    source = open_source(kb, memories)
    given = source.given
    inputs: list[object] = [ask_index(kb, _said, look_at_all=True), method_of(kb).key]
    inputs.append(sources_crc(("kb", "store/index")))  # what counts is no part of `reflect`
    with derived_cache(kb) as kept:
        known = memoized(kept, "statistics", inputs, lambda: _by_records(kb))
    since = known["unreflected_since"]
    words = (confidence_of(kb, one, given.get(one.id, ())).word for one in memories)
    return replace(
        Statistics(**known),
        unreflected_since=datetime.fromisoformat(since) if since else None,
        feedback=_counts((one.verdict for records in given.values() for one in records), HELPED),
        digest_tokens=next((one.tokens for one in own_previews(source)), 0),
        standing=_counts(words, CONFIDENCES),
    )


def _said(index: Index) -> str:
    """Return a digest of what all records say; what covers and replaces them follows from it."""
    found = hashlib.blake2b(digest_size=16)
    for row in index.db.execute("SELECT path, record FROM records ORDER BY path"):
        found.update(repr(row).encode(errors="replace"))
    return found.hexdigest()


def _by_records(kb: KnowledgeBase) -> dict[str, Any]:
    contents = read_contents(kb)
    texts = session_texts(kb, contents.sessions)
    tests = backtests(kb, contents.memories, contents, texts, costs=False)
    kb.environment.report("Finding themes", 0, 0)
    themes = friction_themes(kb, texts, contents)
    kb.environment.report("Finding themes", 1, 1)
    found = asdict(figures(contents, themes, feedback={}, tests=tests, digests=()))
    since = found["unreflected_since"]
    return found | {"unreflected_since": since.isoformat() if since else ""}


def figures(
    contents: Contents,
    found: Sequence[Theme],
    *,
    feedback: Mapping[str, int],
    tests: Iterable[Backtest],
    digests: Sequence[DigestPreview],
) -> Statistics:
    """Return the counts that are the same on every day.

    `tests` tell whether each memory's trouble came back. Of `digests` the first is what an agent in
    the own project reads.
    """
    sessions, memories = contents.sessions, contents.memories
    friction = sum(len(view.entry.friction_points) for view in sessions)
    waiting = [view.entry.created_at for view in sessions if view.reflected_at is None]
    recurring = [theme for theme in found if theme.sessions >= _RECURRING]
    return Statistics(
        entries=len(sessions),
        unreflected=len(waiting),
        unreflected_since=min(waiting, default=None),
        projects=len({view.entry.project_name for view in sessions}),
        friction_points=friction,
        friction_per_session=friction / len(sessions) if sessions else None,
        themes=len(found),
        recurring=len(recurring),
        unanswered=sum(not theme.memory_id for theme in recurring),
        memories=_counts((memory.category for memory in memories), CATEGORIES),
        scopes=_counts(memory.scope for memory in memories),
        standing=None,
        digest_tokens=digests[0].tokens if digests else 0,
        review_hours=_review_hours(sessions),
        improvements=_counts((one.state for one in contents.improvements), IMPROVEMENT_STATES),
        feedback={verdict: feedback.get(verdict, 0) for verdict in HELPED},
        helped=_counts(test.verdict for test in tests),
        **_decided(contents.reflections),
    )


def _counts(words: Iterable[str], names: Sequence[str] = ()) -> dict[str, int]:
    """Return how often each of `names` is among the words; else each of these, sorted."""
    found = Counter(words)
    return {name: found[name] for name in names or sorted(found)}


def _decided(reflections: Sequence[Reflection]) -> dict[str, Any]:
    accepted = sum(max(one.memories_created, len(one.memories)) for one in reflections)
    merged = sum(len(one.merged) for one in reflections)
    rejected = sum(len(one.rejected) for one in reflections)
    decided = accepted + merged + rejected
    return {
        "reflections": len(reflections), "accepted": accepted, "merged": merged,
        "rejected": rejected, "acceptance_rate": (accepted + merged) / decided if decided else None,
    }  # fmt: skip


def _review_hours(sessions: Sequence[SessionView]) -> float | None:
    hours = [
        max(0.0, (view.reflected_at - view.entry.created_at).total_seconds() / 3600)
        for view in sessions
        if view.reflected_at is not None
    ]
    return median(hours) if hours else None
