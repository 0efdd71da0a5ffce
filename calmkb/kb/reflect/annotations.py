"""What a reflection says beside its proposals: their age, whom they contradict, what they save."""

from dataclasses import replace

from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.journal.unwrapped import FRESH
from calmkb.kb.memories.approval import forged
from calmkb.kb.memories.backtest import backtests
from calmkb.model import Verdict
from calmkb.reflect.proposals.order import TEN, differing
from calmkb.reflect.proposals.propose import EXPIRED, Proposals
from calmkb.store.git.file_versions import paths_then
from calmkb.store.index.queries import record_ids
from calmkb.store.local.reviews import load_proposed


def with_approvals(kb: KnowledgeBase, made: Proposals, contents: Contents, **_: bool) -> Proposals:
    """Return the proposals, each noting where git contradicts the approval of a memory like it.

    What contradicts a memory that is itself only proposed is in no conflict.
    """
    approved = {memory.id for memory in contents.memories}
    verdicts = [one.verdict if one.verdict.kind != "conflict" or one.verdict.other in approved
                else Verdict() for one in made.open]  # fmt: skip
    named = {one.other for one in verdicts}
    words = forged(kb, [memory for memory in contents.memories if memory.id in named])
    opened = tuple(
        replace(one, verdict=replace(verdict, approval=words.get(verdict.other, verdict.approval)))
        for one, verdict in zip(made.open, verdicts, strict=True)
    )
    return replace(made, open=opened)


def with_age(
    kb: KnowledgeBase, made: Proposals, contents: Contents, *, everything: bool
) -> Proposals:
    """Return the proposals without those that nobody decided on in 14 days: these are held back.

    One is fresh while a session that it cites, of those that wait, is: by its own time or by when
    it came into the journal. What an agent proposed is fresh for as long. A proposal that cites
    neither stays.
    """
    if everything:
        return made
    entries = {v.entry.id: v.entry for v in contents.sessions if v.reflected_at is None}
    since = kb.environment.now() - FRESH
    fresh = {key for key, one in entries.items() if one.created_at >= since}
    proposed = load_proposed(kb.environment.state, kb.root)
    fresh |= {one.id for one in proposed if one.created_at >= since}
    if len(fresh) < len(entries) and kb.repository_if_any:
        then = paths_then(kb.repository, f"{kb.prefix}/sessions", since)
        known, top = kb.with_index(record_ids), kb.prefix
        fresh |= {key for path, _, key in known if f"{top}/{path}" not in then}
    old = {*entries, *(one.id for one in proposed)} - fresh
    cited = {one.id: {*one.waiting, *(e.source for e in one.evidence)} for one in made.open}
    waits = {key for key, ids in cited.items() if ids & fresh or not ids & old}
    late = tuple(replace(one, held=EXPIRED) for one in made.open if one.id not in waits)
    opened = tuple(one for one in made.open if one.id in waits)
    return replace(made, open=opened, held=(*made.held, *late))


def with_proof(
    kb: KnowledgeBase, made: Proposals, contents: Contents, *, everything: bool
) -> Proposals:
    """Return the proposals, those shown with what they speak of and would have saved.

    One of them that names only what is gone is held back, unless `everything` is wanted.
    """
    first = points.proposals_shown(kb, made.open[: 2 * TEN])
    gone = [one for one in first if one.held and not everything]
    opened = [*(one for one in first if one not in gone), *made.open[2 * TEN :]]
    tests = {test.id: test for test in backtests(kb, differing(opened), contents)}
    tested = (replace(one, backtest=tests.get(one.id)) for one in opened)
    return replace(made, open=tuple(tested), held=(*made.held, *gone))
