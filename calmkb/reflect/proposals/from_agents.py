"""Memories that agents proposed, as proposals beside those that calmkb found itself."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from calmkb.model import Entry, Evidence, Memory, Proposal, Reflection, Verdict
from calmkb.model.review.reflections import Rejection
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.similarity.vectors import near

_ALIKE = 0.1
SHORTEST = 12  # characters of a quote: fewer are found anywhere and prove nothing
LONGEST = 400
_MARKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_ENDS = " \t\n\"'.…"
_SPACES = re.compile(r"\s+")


def proposal_of(memory: Memory) -> Proposal:
    """Return the proposal to keep `memory`; its id changes with its words and its evidence."""
    cited = "".join(f"{item.source}\0{item.quote}\0" for item in memory.evidence)
    digest = hashlib.sha256(f"{cited}{memory.text}".encode()).hexdigest()[:16]
    return Proposal(
        id="P-" + hashlib.sha256(f"{memory.text}\0{digest}".encode()).hexdigest()[:10],
        text=memory.text,
        category=memory.category,
        importance=memory.importance,
        confidence=memory.confidence,
        scope=memory.scope,
        origin=memory.origin,
        evidence=memory.evidence,
        evidence_hash=digest,
        paths=memory.paths,
        waiting=(memory.id,),
        tags=memory.tags,
        supersedes=memory.supersedes,
    )


def texts_of(entry: Entry) -> tuple[str, ...]:
    """Return all that an entry says in words."""
    return (entry.summary, *entry.friction_points, *entry.next_steps, *entry.learnings)


def evidence_for(text: str, entry: Entry) -> Evidence:
    """Return what `entry` says that is most like `text`, as its evidence."""
    texts = (*entry.friction_points, entry.summary, *entry.next_steps)
    alike = near([text], texts, _ALIKE)
    best = max(alike, key=lambda one: (one[2], -one[1]), default=None)
    return evidence_of(entry, texts[best[1]] if best else entry.summary)


def evidence_of(entry: Entry, quote: str) -> Evidence:
    """Return words of `entry` as evidence."""
    return Evidence(
        quote=" ".join(quote.split()),
        source=entry.id,
        date=f"{entry.created_at:%Y-%m-%d}",
        project=entry.project_name,
    )


def session_of_quote(quote: str, named: str, sources: Mapping[str, str]) -> str:
    """Return the id of the session that holds `quote`, or nothing.

    `sources` are the texts that the analyst was shown, by the ids of the sessions. The one that is
    `named` is looked at first; where it does not hold the words, another one must do so alone.
    Capitals, line ends and the form of quotation marks do not count.
    """
    words = _plain(quote).strip(_ENDS)
    if not SHORTEST <= len(words) <= LONGEST:
        return ""
    if words in _plain(sources.get(named, "")):
        return named
    holding = [one for one, text in sources.items() if words in _plain(text)]
    return holding[0] if len(holding) == 1 else ""


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text.translate(_MARKS)).casefold()


def rejection_of(
    proposal: Proposal, reflections: Sequence[Reflection], method: Method, duplicate: float
) -> str:
    """Return when and why a proposal was rejected before, or nothing where it may be asked.

    The same words on the same evidence stay rejected; words that cite nothing, in any wording.
    """
    earlier = [(record, item) for record in reflections for item in record.rejected]
    for record, item in earlier:
        if item.evidence == proposal.evidence_hash:
            return when_and_why(record, item)
    if proposal.evidence or not earlier:
        return ""
    known = [KnownText(str(number), item.text) for number, (_, item) in enumerate(earlier)]
    (verdict,) = judge([proposal.text], known, method, duplicate=duplicate)
    if verdict.kind != "duplicate":
        return ""
    return when_and_why(*earlier[int(verdict.other)])


def replacing(proposal: Proposal, verdict: Verdict, memories: Iterable[Memory]) -> Verdict:
    """Return `verdict`, or a conflict where the proposal names the memory that it replaces."""
    for memory in memories:
        if memory.id == proposal.supersedes:
            same = verdict.other == memory.id
            level = verdict.similarity if same else 0.0
            return Verdict(kind="conflict", other=memory.id, text=memory.text, similarity=level)
    return verdict


def when_and_why(record: Reflection, item: Rejection) -> str:
    """Return the day of a rejection, and the reason that was given."""
    day = f"{record.created_at:%Y-%m-%d}"
    return f"{day}: {item.reason}" if item.reason else day
