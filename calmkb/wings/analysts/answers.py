"""What analysts answered, read as hostile input, and as proposals with evidence of the journal."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from calmkb.errors import RecordError
from calmkb.model import CATEGORIES, UNKNOWN_SCOPE, Category, Entry, Proposal, check_characters
from calmkb.model.words import short_line
from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral
from calmkb.reflect.proposals.from_agents import evidence_of, session_of_quote
from calmkb.reflect.statements.alone import why_not_alone
from calmkb.system.agent_result import AgentResult, json_objects
from calmkb.wings.analysts.questions import MOST, Insight

LENGTH = 600  # characters of an insight: more is an essay, and no line of a digest
_short = partial(short_line, limit=60)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one analyst gave: sound insights, what was wrong with the others, the cost if given."""

    insights: tuple[Insight, ...]
    faults: tuple[str, ...] = ()
    dollars: float | None = None


def read_answer(result: AgentResult, analyst: str, sources: Mapping[str, str]) -> Answer:
    """Return the insights in an answer; broken, cut-off and unsound ones are named and left out.

    It is a JSON array, or one inside prose or a fence; what came before a fault is taken too.
    `sources` are the texts of the sessions that were shown, by their ids: an insight must quote one
    of them.
    """
    output = result.text
    found: list[Insight] = []
    faults = [result.fault] if result.fault else []
    for row in json_objects(output, "content"):
        try:
            found.append(_insight(row, analyst, sources))
        except RecordError as error:
            faults.append(str(error))
    if not found and not faults and "[]" not in output.replace(" ", ""):
        faults.append(f"no JSON object with a content in: {_short(output) or 'an empty answer'}")
    if len(found) > 2 * MOST:
        faults.append(f"{len(found) - 2 * MOST} more than were asked for, left out")
    return Answer(tuple(found[: 2 * MOST]), tuple(faults), result.dollars)


def proposals_from(insights: Sequence[Insight], entries: Mapping[str, Entry]) -> list[Proposal]:
    """Return a proposal of low confidence for each insight whose session is among `entries`."""
    return [_proposal(one, entries[one.session]) for one in insights if one.session in entries]


def _proposal(insight: Insight, entry: Entry) -> Proposal:
    held = why_ephemeral(insight.content)
    text = insight.content if held else stable(insight.content)
    evidence = evidence_of(entry, insight.quote)
    # The same sentence can show two things: what was rejected is this reading of it.
    bound = f"{evidence.source}\0{evidence.quote}\0{text}"
    digest = hashlib.sha256(bound.encode()).hexdigest()[:16]
    return Proposal(
        id="P-" + hashlib.sha256(f"{text}\0{digest}".encode()).hexdigest()[:10],
        text=text,
        category=insight.category,
        importance=insight.importance,
        confidence="low",
        scope=entry.project_name or UNKNOWN_SCOPE,
        origin="agent",
        evidence=(evidence,),
        evidence_hash=digest,
        held=held or why_not_alone(insight.content),
        reasoning=f"{insight.analyst}: {insight.reasoning}"
        if insight.reasoning
        else insight.analyst,
    )


def _insight(row: dict[str, Any], analyst: str, sources: Mapping[str, str]) -> Insight:
    """Return a sound insight; RecordError says what is wrong with it."""
    content, category = row.get("content"), row.get("category")
    importance, quote = row.get("importance", 0.5), row.get("quote")
    if not isinstance(content, str) or not content.strip():
        raise RecordError("an insight without words was left out")
    reasoning = row.get("reasoning")
    reasoning = reasoning if isinstance(reasoning, str) else ""
    quote = quote if isinstance(quote, str) else ""
    for text in (content, reasoning, quote, str(category), str(importance)):
        check_characters(text, "an insight")
    if len(content) > LENGTH:
        raise RecordError(
            f"an insight of {len(content):,} characters was left out: {_short(content)}"
        )
    if category not in CATEGORIES:
        raise RecordError(f"category {_short(str(category))!r} is unknown: {_short(content)}")
    if isinstance(importance, bool) or not isinstance(importance, int | float):
        raise RecordError(
            f"importance {_short(str(importance))!r} is not a number: {_short(content)}"
        )
    if not 0 <= importance <= 1:
        raise RecordError(f"importance {importance:g} is outside 0 to 1: {_short(content)}")
    named = str(row.get("session") or "").strip().lower()
    fitting = [one for one in sources if len(named) >= 4 and one.startswith(named)]
    session = session_of_quote(quote, fitting[0] if len(fitting) == 1 else "", sources)
    if not session:
        raise RecordError(f"its quote is in no session, left out: {_short(content)}")
    return Insight(
        content=" ".join(content.split()),
        category=cast(Category, category),
        importance=round(float(importance), 2),
        analyst=analyst,
        reasoning=" ".join(reasoning.split())[:LENGTH],
        session=session,
        quote=" ".join(quote.split()),
    )
