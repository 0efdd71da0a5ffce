"""What analysts answered, read as hostile input, and as proposals with evidence of the journal."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from calmkb.errors import RecordError
from calmkb.model import (
    CATEGORIES,
    Category,
    Entry,
    Evidence,
    Insight,
    Proposal,
    check_characters,
)
from calmkb.reflect.analysts.questions import MOST
from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral
from calmkb.reflect.similarity.clusters import similarities
from calmkb.reflect.similarity.tfidf import vectorise
from calmkb.system.agent_result import unwrap

LENGTH = 600
"""Characters of an insight: more is an essay, and no line of a digest."""
_OBJECTS = 200
_ALIKE = 0.1


@dataclass(frozen=True, slots=True)
class Answer:
    """What one analyst gave: sound insights, what was wrong with the others, the cost if given."""

    insights: tuple[Insight, ...]
    faults: tuple[str, ...] = ()
    dollars: float | None = None


def read_answer(text: str, analyst: str, sessions: Sequence[str]) -> Answer:
    """Return the insights in an answer; broken, cut-off and unsound ones are named and left out.

    `text` is a JSON array, one inside prose or a fence, or Claude Code's result object around
    either, which also tells the cost. `sessions` are the ids that an insight may come from.
    """
    result = unwrap(text)
    said, dollars = result.text, result.dollars
    if result.failed:
        return Answer((), (f"the program reported an error: {_short(said)}",), dollars)
    found: list[Insight] = []
    faults: list[str] = []
    for row in _objects(said):
        try:
            found.append(_insight(row, analyst, sessions))
        except RecordError as error:
            faults.append(str(error))
    if not found and not faults and "[]" not in said.replace(" ", ""):
        faults.append(f"no JSON object with a content in: {_short(said) or 'an empty answer'}")
    if len(found) > 2 * MOST:
        faults.append(f"{len(found) - 2 * MOST} more than were asked for, left out")
    return Answer(tuple(found[: 2 * MOST]), tuple(faults), dollars)


def attributed(insights: Sequence[Insight], entries: Mapping[str, Entry]) -> list[Insight]:
    """Return the insights, each with its session: one that names none gets the most similar."""
    return [
        replace(insight, session=entry.id) for insight, (entry, _) in _placed(insights, entries)
    ]


def proposals_from(insights: Sequence[Insight], entries: Mapping[str, Entry]) -> list[Proposal]:
    """Return a proposal of low confidence for each insight whose session is among `entries`."""
    own = [insight for insight in insights if insight.session in entries]
    return [_proposal(insight, *place) for insight, place in _placed(own, entries)]


def evidence_for(text: str, entry: Entry) -> Evidence:
    """Return what `entry` says that is most like `text`, as its evidence."""
    texts = _texts(entry)
    vectors = vectorise([text, *texts])
    levels = similarities(vectors, [0], list(range(1, len(texts) + 1)))[0]
    best = max(range(len(texts)), key=lambda n: (float(levels[n]), -n))
    return _evidence(entry, texts[best] if levels[best] >= _ALIKE else entry.summary)


def _placed(
    insights: Sequence[Insight], entries: Mapping[str, Entry]
) -> list[tuple[Insight, tuple[Entry, str]]]:
    """Return each insight with its session and what that says that is most like it."""
    quotes = [(entry, text) for entry in entries.values() for text in _texts(entry)]
    if not insights or not quotes:
        return []
    vectors = vectorise([*(i.content for i in insights), *(text for _, text in quotes)])
    rows = list(range(len(insights)))
    table = similarities(vectors, rows, list(range(len(rows), len(rows) + len(quotes))))
    return [(insight, _best(insight, quotes, table[row])) for row, insight in enumerate(insights)]


def _texts(entry: Entry) -> tuple[str, ...]:
    return (*entry.friction_points, entry.summary, *entry.next_steps)


def _best(insight: Insight, quotes: Sequence[tuple[Entry, str]], levels: Any) -> tuple[Entry, str]:
    """Return the session that an insight names, else the most similar one, and its words."""
    own = [n for n, (entry, _) in enumerate(quotes) if entry.id == insight.session]
    best = max(own or range(len(quotes)), key=lambda n: (float(levels[n]), -n))
    entry, text = quotes[best]
    return (entry, text) if levels[best] >= _ALIKE else (entry, entry.summary)


def _proposal(insight: Insight, entry: Entry, quote: str) -> Proposal:
    text = insight.content if (held := why_ephemeral(insight.content)) else stable(insight.content)
    evidence = _evidence(entry, quote)
    # The same sentence can show two things: what was rejected is this reading of it.
    bound = f"{evidence.source}\0{evidence.quote}\0{text}"
    digest = hashlib.sha256(bound.encode()).hexdigest()[:16]
    return Proposal(
        id="P-" + hashlib.sha256(f"{text}\0{digest}".encode()).hexdigest()[:10],
        text=text,
        category=insight.category,
        importance=insight.importance,
        confidence="low",
        scope=entry.project_name or "global",
        origin="agent",
        evidence=(evidence,),
        evidence_hash=digest,
        held=held,
        reasoning=f"{insight.analyst}: {insight.reasoning}"
        if insight.reasoning
        else insight.analyst,
    )


def _evidence(entry: Entry, quote: str) -> Evidence:
    return Evidence(
        quote=" ".join(quote.split()),
        source=entry.id,
        date=f"{entry.created_at:%Y-%m-%d}",
        project=entry.project_name,
    )


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in `text` that have a content, those of a cut-off array too."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = {}, at + 1
        # An object around the list is looked into.
        at = end if "content" in value else at + 1
        if "content" in value:
            yield value


def _insight(row: dict[str, Any], analyst: str, sessions: Sequence[str]) -> Insight:
    """Return a sound insight; RecordError says what is wrong with it."""
    content, category = row.get("content"), row.get("category")
    importance = row.get("importance", 0.5)
    if not isinstance(content, str) or not content.strip():
        raise RecordError("an insight without words was left out")
    reasoning = row.get("reasoning")
    reasoning = reasoning if isinstance(reasoning, str) else ""
    for text in (content, reasoning, str(category), str(importance)):
        check_characters(text, "an insight")
    if len(content) > LENGTH:
        raise RecordError(
            f"an insight of {len(content):,} characters was left out: {_short(content)}"
        )
    if category not in CATEGORIES:
        raise RecordError(f"category {_short(str(category))!r} is unknown: {_short(content)}")
    if isinstance(importance, bool) or not isinstance(importance, int | float):
        raise RecordError(f"importance {_short(str(importance))!r} is no number: {_short(content)}")
    if not 0 <= importance <= 1:
        raise RecordError(f"importance {importance:g} is outside 0 to 1: {_short(content)}")
    named = str(row.get("session") or "").strip().lower()
    fitting = [one for one in sessions if len(named) >= 4 and one.startswith(named)]
    return Insight(
        content=" ".join(content.split()),
        category=cast(Category, category),
        importance=round(float(importance), 2),
        analyst=analyst,
        reasoning=" ".join(reasoning.split())[:LENGTH],
        session=fitting[0] if len(fitting) == 1 else "",
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
