"""From the statements of sessions to proposals: clusters, wording, evidence, verdicts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from calmkb.model import Category, Evidence, Memory, Proposal, Reflection, Verdict
from calmkb.model.review.reflections import ANY_EVIDENCE, Rejection
from calmkb.reflect.memo import Store
from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral
from calmkb.reflect.opposites.safeguards import rule_broken
from calmkb.reflect.proposals.conflicts import with_conflicts
from calmkb.reflect.proposals.from_agents import replacing, when_and_why
from calmkb.reflect.proposals.groups import Group, group, why_group_held
from calmkb.reflect.proposals.merging import by_importance, evidence_digest, identified, merge_same
from calmkb.reflect.proposals.order import one_a_subject
from calmkb.reflect.proposals.scopes import Authors, Sources, globs_of
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.similarity.methods import TFIDF, Method
from calmkb.reflect.statements.instruction import as_instruction, as_wish, guardrail
from calmkb.reflect.statements.mined import is_failure, remedy_sentence
from calmkb.reflect.statements.statements import Statement
from calmkb.reflect.statements.wording import (
    category_of,
    category_of_learning,
    confidence_of,
    importance_of,
    shorten,
    turns_lost,
)

DISMISSED = "dismissed "  # how the note of a proposal begins that was rejected for good
EXPIRED = "not decided in 14 days"  # why a proposal is held back that waited so long for a decision


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a person is asked to review, best first, and what was held back.

    `known` are duplicates of memories, `rejected` those rejected before on the same evidence,
    `held` those that say nothing that lasts, each with the reason in its `held`.
    """

    open: tuple[Proposal, ...] = ()
    known: tuple[Proposal, ...] = ()
    rejected: tuple[Proposal, ...] = ()
    held: tuple[Proposal, ...] = ()


def propose(
    statements: Sequence[Statement],
    memories: Sequence[Memory],
    reflections: Sequence[Reflection],
    *,
    duplicate: float,
    method: Method = TFIDF,
    everything: bool = False,
    more: Sequence[Proposal] = (),
    kept: Store | None = None,
    authors: Authors = dict,
) -> Proposals:
    """Return proposals from the fresh statements, with older ones as further evidence.

    `duplicate` is a cosine of `method`. A next step counts only where two
    sessions left it open: once it is a plan, twice it is a pattern. With `everything`, what is held
    back is proposed too. `more` are proposals from elsewhere, such as analysts'.
    `authors` is called where it matters who said it; `kept` spares comparing what is as it was.
    """
    notes = frozenset(one.entry_id for one in statements if one.note)
    sources = Sources(authors, notes, {one.entry_id: one.witness for one in statements})
    grouped = group(statements, method, kept=kept)
    drafts = [*_drafted(statements, grouped, sources), *more]
    merged = merge_same(drafts, duplicate, method, sources, kept)
    judged = _judge(merged, memories, duplicate, method)
    known, fresh = _parted(judged, lambda one: one.verdict.kind == "duplicate")
    rejected = {item.evidence for record in reflections for item in record.rejected}
    away, new = _parted(fresh, lambda one: one.evidence_hash in rejected - {""})
    noted = _with_history(new, reflections, duplicate, method)
    again, found = _parted(by_importance(noted, sources), _is_final)
    held, shown = _parted(found, lambda one: bool(one.held) and not everything)
    again.sort(key=lambda one: not one.rejected.startswith(DISMISSED))
    return Proposals(
        with_conflicts(one_a_subject(shown, method)), tuple(known), (*away, *again), tuple(held)
    )


def _parted(
    proposals: Iterable[Proposal], test: Callable[[Proposal], bool]
) -> tuple[list[Proposal], list[Proposal]]:
    """Return those that pass the test and the others, each in their order."""
    every = list(proposals)
    return [one for one in every if test(one)], [one for one in every if not test(one)]


def _is_final(one: Proposal) -> bool:
    """Whether a rejection stands: what cites nothing can bring no new evidence either."""
    return one.rejected.startswith(DISMISSED) or bool(one.rejected and not one.evidence)


def _drafted(
    statements: Sequence[Statement], groups: Sequence[Group], sources: Sources
) -> list[Proposal]:
    """Return a proposal for each group that tells of trouble or of more than one session."""
    newest = max((statement.date for statement in statements), default="")
    return [
        _proposal(one, newest, sources)
        for one in groups
        if one.sessions > 1 or any(member.friction for member in one.members)
    ]


def evidence_of(one: Group) -> tuple[Evidence, ...]:
    """Return what the members of a group say, each once, oldest first."""
    quotes = {(m.date, m.entry_id, m.text, m.project): None for m in one.members}
    return tuple(
        Evidence(quote=quote, source=source, date=day, project=project)
        for day, source, quote, project in sorted(quotes, key=lambda key: key[:3])
    )


def _proposal(one: Group, newest: str, sources: Sources) -> Proposal:
    friction = any(member.friction for member in one.members)
    projects = {member.project for member in one.members if member.project}
    evidence = evidence_of(one)
    text, members = _text_of(one), (one.best, *one.members)
    failed = one.mined and is_failure(one.best.text)
    proved = failed and remedy_sentence(one.best.text) != one.best.text
    # That a failure came again makes it no surer: what helped is what can be learnt.
    counted = 1 if failed and not proved else one.sessions
    turns = sum({m.entry_id: turns_lost(m.text) for m in one.members}.values())
    return identified(
        Proposal(
            id="",
            text=text,
            category=next((m.category for m in members if m.category), _category(one, text)),
            importance=importance_of(
                sessions=counted,
                projects=len(projects),
                friction=friction and (proved or not failed),
                learning=one.best.learning or proved,
                said_by_person=one.best.origin == "person" and bool(one.best.quoted),
                age_days=(date.fromisoformat(newest) - date.fromisoformat(evidence[-1].date)).days,
                turns=turns,
            ),
            confidence=confidence_of(counted),
            scope=sources.scope(evidence),
            origin=one.best.origin,
            evidence=evidence,
            evidence_hash=evidence_digest(evidence),
            paths=globs_of(one.members),
            turns=turns,
            held=why_group_held(one),
            source="mined" if one.mined else "written",
            reasoning=next((m.why for m in members if m.why), ""),
        )
    )


def _category(one: Group, text: str) -> Category:
    if one.best.learning:
        return category_of_learning(text)
    return category_of(one.best.text if one.mined else text)


def _text_of(one: Group) -> str:
    """Return the words of the group's best statement as an instruction."""
    if why_ephemeral(one.best.text):
        return shorten(one.best.text)
    text = shorten(stable(one.best.text))
    if one.mined:
        return remedy_sentence(text) if is_failure(text) else as_instruction(text)
    return as_wish(text) if one.best.learning else text


def _judge(
    proposals: list[Proposal], memories: Sequence[Memory], duplicate: float, method: Method
) -> list[Proposal]:
    known = [KnownText(memory.id, memory.text) for memory in memories]
    # What a memory was made of is known too: its words may have been edited since.
    known += [KnownText(memory.id, item.quote) for memory in memories for item in memory.evidence]
    verdicts = judge([one.text for one in proposals], known, method, duplicate=duplicate)
    cited = {(e.source, e.quote): m for m in memories for e in m.evidence}
    return [
        replace(
            proposal,
            verdict=replacing(proposal, _cited_verdict(proposal, cited) or verdict, memories),
            contradicts=_rule_broken(proposal, memories),
            guardrail=guardrail(proposal.text),
        )
        for proposal, verdict in zip(proposals, verdicts, strict=True)
    ]


def _cited_verdict(proposal: Proposal, cited: dict[tuple[str, str], Memory]) -> Verdict | None:
    """Return `duplicate` where a memory cites every word that the proposal rests on."""
    if proposal.waiting:  # an agent's own words: the same sentence can teach two things
        return None
    first, *others = (cited.get((item.source, item.quote)) for item in proposal.evidence)
    if first is None or None in others:
        return None
    return Verdict(kind="duplicate", other=first.id, text=first.text, similarity=1.0)


def _rule_broken(proposal: Proposal, memories: Sequence[Memory]) -> str:
    """Return the memory that asks for the check that a proposal bypasses; "" where none does.

    That is no conflict of two wordings: to accept the proposal must not retire the rule.
    """
    rule = rule_broken(proposal.text, (memory.text for memory in memories))
    return next((f"the memory {m.id[:8]}: {m.text}" for m in memories if rule == m.text), "")


def _with_history(
    proposals: list[Proposal], reflections: Sequence[Reflection], duplicate: float, method: Method
) -> tuple[Proposal, ...]:
    """Say of each proposal whether something like it was rejected before, when and why."""
    rows = [
        (record, item)
        for record in sorted(reflections, key=lambda record: record.created_at)
        for item in record.rejected
    ]
    known = [KnownText(record.id, item.text) for record, item in rows]
    verdicts = judge([one.text for one in proposals], known, method, duplicate=duplicate)
    rows.sort(key=lambda row: row[1].evidence == ANY_EVIDENCE)  # what is dismissed counts
    notes = {(record.id, item.text): _note_of(record, item) for record, item in rows}
    return tuple(
        replace(p, rejected=notes[v.other, v.text] if v.kind == "duplicate" else "")
        for p, v in zip(proposals, verdicts, strict=True)
    )


def _note_of(record: Reflection, item: Rejection) -> str:
    if item.evidence == ANY_EVIDENCE:
        return f"{DISMISSED}{record.created_at:%Y-%m-%d}"
    return when_and_why(record, item)
