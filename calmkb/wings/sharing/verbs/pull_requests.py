"""Review by pull request: proposals pushed as a branch, and the outcome of it recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calmkb.documents import record_path, render
from calmkb.errors import CalmError, ExportError
from calmkb.export.base import Output
from calmkb.export.block import has_block, replace_block
from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.digests import open_source
from calmkb.kb.export.files import FILE_LIMIT
from calmkb.kb.export.plan import ExportRequest, TargetPlan, plan
from calmkb.kb.reflect.reflection import Pending, pending
from calmkb.kb.text import inert_message
from calmkb.model import Decision, Memory, Proposal
from calmkb.reflect.proposals.propose import Proposals
from calmkb.store.commits.changes import Change
from calmkb.store.commits.landed import locking_refs
from calmkb.wings.sharing.git.hosting import Opened, Request, has_host_program, open_request
from calmkb.wings.sharing.git.proposal_branches import (
    PREFIX,
    TRAILER,
    Base,
    fetch_base,
    file_at,
    known_base,
    publish,
)
from calmkb.wings.sharing.requests.request import Digest, body_of, title_of, warning_of
from calmkb.wings.sharing.verbs.in_review import EVIDENCE_KEY
from calmkb.wings.sharing.verbs.sync import sync_kb


@dataclass(frozen=True, slots=True)
class Draft:
    """A pull request as it will be: the branch and its files, its words, where it goes."""

    name: str
    memories: tuple[Memory, ...]
    change: Change
    request: Request
    base: Base


def draft_request(
    kb: KnowledgeBase, *, only: Sequence[str] = (), everything: bool = False, ask: bool = True
) -> Draft:
    """Return the pull request for the open proposals, or for those whose ids begin as in `only`.

    On the branch that is proposed to, what waits there is pulled and pushed first: the sessions
    that a proposal cites must be there before it. Without `ask` the remote is left alone, and the
    base is what was heard of it last. Raises CalmError where nothing is open, or an id fits none;
    StoreError where the remote cannot be reached.
    """
    repository = kb.repository
    base = fetch_base(repository) if ask else known_base(repository)
    if ask and repository.branch() == f"refs/heads/{base.branch}":
        sync_kb(kb)
        base = fetch_base(repository)
    waiting = pending(kb, everything=everything)
    chosen = _chosen(waiting, only)
    memories = _memories(kb, waiting, chosen)
    name = f"reflect-{kb.environment.now():%Y%m%d}-{memories[0].id[:8]}"
    paths = [f"{kb.prefix}/{record_path(memory)}" for memory in memories]
    files = {p: render(m).encode() for p, m in zip(paths, memories, strict=True)}
    digest, changed = _digest(kb, base, waiting.memories, memories)
    warnings = [warning_of(one) for one in chosen.open]
    boxes = has_host_program(kb.environment.env)
    title = title_of(memories)
    nevers = [one.guardrail for one in chosen.open]
    body = inert_message(body_of(memories, digest, paths, warnings, nevers, boxes=boxes))
    message = inert_message(f"propose: {title}\n\n{body}\n\n{TRAILER}: {name}\n")
    change = Change(files | changed, message, kb.environment.now())
    return Draft(name, memories, change, Request(PREFIX + name, base.branch, title, body), base)


def propose_request(kb: KnowledgeBase, draft: Draft) -> Opened:
    """Push the branch, and open the pull request or say where; StoreError where it is refused."""
    with locking_refs(kb.repository.git_dir):
        publish(kb.repository, draft.base, draft.name, draft.change)
    return open_request(kb.repository, draft.base.remote, draft.request, env=kb.environment.env)


def _chosen(waiting: Pending, only: Sequence[str]) -> Proposals:
    proposals = waiting.proposals
    if not only:
        if not proposals.open:
            raise CalmError("nothing is open, so there is nothing to propose")
        return replace(proposals, open=waiting.shown)
    offered, chosen = (*proposals.open, *proposals.held), set[str]()
    for wanted in only:
        fitting = [one for one in offered if one.id.lower().startswith(wanted.lower())]
        if len(fitting) != 1:
            raise CalmError(
                f"{wanted!r} fits {len(fitting)} proposals; "
                "see their ids with: calmkb reflect --json"
            )
        chosen.add(fitting[0].id)
    return replace(proposals, open=tuple(one for one in offered if one.id in chosen))


def _memories(kb: KnowledgeBase, waiting: Pending, chosen: Proposals) -> tuple[Memory, ...]:
    """Return the proposals as the memories they would be; merging approves them."""
    accepted = [_accepted(one) for one in chosen.open]
    offered = replace(waiting, proposals=replace(chosen, held=()))
    outcome = offered.outcome(kb.environment, accepted)
    return tuple(
        replace(points.memory_made(kb, memory), extra={EVIDENCE_KEY: one.evidence_hash})
        for memory, one in zip(outcome.memories, chosen.open, strict=True)
    )


def _accepted(proposal: Proposal) -> Decision:
    """Return the decision that merging takes; the file in the branch shows what it replaces."""
    if proposal.verdict.kind == "conflict":
        return Decision(proposal_id=proposal.id, action="replace", into=proposal.verdict.other,
                        scope=proposal.scope)  # fmt: skip
    return Decision(proposal_id=proposal.id, action="accept", scope=proposal.scope)


def _digest(
    kb: KnowledgeBase, base: Base, standing: Sequence[Memory], proposed: Sequence[Memory]
) -> tuple[Digest, dict[str, bytes | None]]:
    """Return the digest as it would be, and the files of the base that hold one."""
    before = plan(open_source(kb, standing), ExportRequest(force=True)).targets
    after = plan(open_source(kb, [*standing, *proposed]), ExportRequest(force=True)).targets
    digest = Digest(
        kb.config.export.file,
        _text(before[0]),
        _text(after[0]),
        before[0].digest.tokens,
        after[0].digest.tokens,
    )
    files: dict[str, bytes | None] = {}
    for planned in after:
        for output in planned.outputs:
            path = f"{kb.prefix.removesuffix(kb.config.journal)}{output.path}"
            if data := _renewed(kb, base, path, output):
                files[path] = data
    return digest, files


def _text(planned: TargetPlan) -> str:
    return "\n\n".join(output.body for output in planned.digest.outputs)


def _renewed(kb: KnowledgeBase, base: Base, path: str, output: Output) -> bytes | None:
    """Return a digest's file as it would be, or None where the base has no block of ours.

    Nor where a person has edited it: they resolve that, and the body shows the difference.
    """
    data = file_at(kb.repository, base.tip, path)
    if data is None or len(data) > FILE_LIMIT or output.whole:
        return None
    try:
        text = data.decode()
        front = output.front if output.owned else None
        made = replace_block(text, output.body, place=path, front=front)
    except (ExportError, UnicodeDecodeError):
        return None
    return made.encode() if has_block(text) and made != text else None
