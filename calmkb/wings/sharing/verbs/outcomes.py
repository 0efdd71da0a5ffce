"""The outcome of proposals in pull requests: merged is approved, closed is rejected."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from calmkb.documents import record_path, render
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents, read_memories
from calmkb.kb.reflect.reflection import pending
from calmkb.model import Memory, Reflection, Rejection
from calmkb.reflect.proposals.merging import evidence_digest
from calmkb.store.git.trees import tree_entries
from calmkb.store.local.session_logs import delete_logs
from calmkb.wings.sharing.git.hosting import HostRequest, request_from
from calmkb.wings.sharing.git.proposal_branches import (
    PREFIX,
    Base,
    added_by,
    fetch_base,
    followed,
    forget,
    on_remote,
    proposing_message,
    remote_of,
)
from calmkb.wings.sharing.requests.request import has_boxes
from calmkb.wings.sharing.requests.review import HostReview, read_review
from calmkb.wings.sharing.verbs.in_review import EVIDENCE_KEY, memories_on

BRANCH_KEY = "proposed_in"
_CLOSED = "closed without being merged"
_TAKEN_OUT = "taken out before the merge"
_UNTICKED = "unticked before the merge"


@dataclass(frozen=True, slots=True)
class BranchOutcome:
    """What was recorded of one branch: how many were approved and rejected.

    `unread` says that it was merged and nobody could ask the host which boxes were unticked.
    """

    branch: str
    approved: int
    rejected: int
    unread: bool = False


def record_outcomes(kb: KnowledgeBase) -> tuple[BranchOutcome, ...]:
    """Record the outcome of every branch that was merged or closed; open ones are left alone.

    Only on the branch that is proposed to: a record elsewhere would be made once for each branch.
    Merged is what the remote's branch holds, by whatever kind of merge; closed is a branch that
    is gone without that, or a request that `gh` calls closed.
    """
    repository = kb.repository
    on_host = on_remote(repository, remote_of(repository))
    known = {r.extra.get(BRANCH_KEY) for r in read_contents(kb, "reflection").reflections}
    if not followed(repository) and all(PREFIX + name in known for name in on_host):
        return ()
    base = fetch_base(repository)
    if repository.branch() != f"refs/heads/{base.branch}":
        return ()
    paths = tree_entries(repository, base.tip, f"{kb.prefix}/memories")
    on_base = {path.removesuffix(".md").rpartition("-")[2]: path for path in paths}
    done = []
    for name in followed(repository):
        if PREFIX + name not in known:
            proposed = memories_on(repository, kb.prefix, name)
            merged = [memory for memory in proposed if memory.id[:8] in on_base]
            request = request_from(repository, PREFIX + name, env=kb.environment.env)
            closed = request is not None and request.closed
            if not merged and name in on_host and not closed:
                continue
            if proposed:
                done.append(_record(kb, base, name, proposed, on_base, request))
        forget(repository, name)
    return tuple(done)


def _record(
    kb: KnowledgeBase,
    base: Base,
    name: str,
    proposed: Sequence[Memory],
    on_base: dict[str, str],
    request: HostRequest | None,
) -> BranchOutcome:
    """Commit the reflection that says what was approved and what was rejected.

    What was merged although its box was unticked is removed in the same commit.
    """
    review = read_review(request.body, request.comments) if request else HostReview()
    here = {memory.id: memory for memory in read_memories(kb)}
    merged = {m.id[:8] for m in proposed} & set(on_base)
    approved = [here.get(m.id, m) for m in proposed if m.id[:8] in merged - review.unticked]
    rejected = [m for m in proposed if m.id[:8] not in merged - review.unticked]
    reviewer = added_by(kb.repository, base.tip, on_base[approved[0].id[:8]]) if approved else ""
    reasons = {memory.id: _reason(memory.id[:8], review, merged) for memory in rejected}
    record = _reflection(kb, name, approved, rejected, reasons)
    record = replace(record, reviewed_by=reviewer or kb.reviewer())
    record = _covering(kb, record, name, {source for m in proposed for source in m.sources})
    verb = f"{len(approved)} approved, {len(rejected)} rejected"
    message = f"reflect: {verb} by pull request\n\nCalm-Reflection: {record.id}\n"
    removed: dict[str, bytes | None] = {
        on_base[one].removeprefix(f"{kb.prefix}/"): None for one in merged & review.unticked
    }
    files = {record_path(record): render(record).encode(), **removed}
    kb.save(files, message, record.created_at)
    delete_logs(kb.environment.state, record.entries)
    offered = has_boxes(proposing_message(kb.repository, name))
    unread = bool(merged) and request is None and offered
    return BranchOutcome(PREFIX + name, len(approved), len(rejected), unread)


def _reflection(
    kb: KnowledgeBase,
    name: str,
    approved: Sequence[Memory],
    rejected: Sequence[Memory],
    reasons: Mapping[str, str],
) -> Reflection:
    """Return what was decided, filtered: anybody who may push writes to a branch."""
    redactor = kb.redactor
    return Reflection(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        memories=tuple(memory.id for memory in approved),
        memories_created=len(approved),
        accepted=tuple(redactor.text(memory.text) for memory in approved),
        rejected=tuple(
            Rejection(
                text=redactor.text(memory.text),
                evidence=str(memory.extra.get(EVIDENCE_KEY) or evidence_digest(memory.evidence)),
                reason=redactor.line(reasons[memory.id]),
            )
            for memory in rejected
        ),
        extra={BRANCH_KEY: PREFIX + name},
    )


def _reason(name: str, review: HostReview, merged: Set[str]) -> str:
    """Return why a proposal was rejected: a reviewer's words, else how."""
    if name in review.reasons:
        return review.reasons[name]
    if name in merged:
        return _UNTICKED
    return _TAKEN_OUT if merged else review.last or _CLOSED


def _covering(kb: KnowledgeBase, record: Reflection, name: str, cited: set[str]) -> Reflection:
    """Return the record with the sessions of which no proposal is left."""
    left = pending(kb, also=(record,), closed_branch=name)
    asked = {item.source for one in left.proposals.open for item in one.evidence}
    done = tuple(entry for entry in left.entries if entry in cited and entry not in asked)
    return replace(record, entries=done)
