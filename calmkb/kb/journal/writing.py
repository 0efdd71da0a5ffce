"""A wrap-up written by a model of the person's choice, within a day's budget."""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.capture.condense import condense
from calmkb.capture.draft.draft import filtered
from calmkb.capture.formats.table import read_transcript
from calmkb.capture.formats.turns import Transcript
from calmkb.capture.written.answer import Written, read_written
from calmkb.capture.written.question import question
from calmkb.errors import CalmError, TranscriptError
from calmkb.hook import CHILD
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Draft
from calmkb.store.local.spending import note_spending, spent_on
from calmkb.system.agent_result import ask_program

WRITERS = {
    "claude": 'claude -p --model {model} --output-format json --tools "" --no-session-persistence',
    "codex": "codex exec --sandbox read-only --skip-git-repo-check -",
    "gemini": "gemini -m {model}",
}
"""Programs that answer a question given on standard input, by name; all else is a command line."""
MODELS = {"claude": "haiku", "gemini": "gemini-2.5-flash"}
"""The small model that each asks unless another is named."""
LIMIT = 40_000
"""Characters of a session that is sent: some 10,000 tokens."""
BUDGET = 1.0
"""Dollars a day."""
SECONDS = 180.0
_DOLLARS_IN, _DOLLARS_OUT = 1.0e-6, 5.0e-6
"""Dollars a token where the program does not tell its cost: Claude Haiku 4.5, public price."""
TYPICAL = 0.007
"""Dollars a session: the mean of 100 real ones by these prices, 3,100 tokens in and 800 out."""
_TOKENS_OUT = 800
_CHARACTERS = 4


@dataclass(frozen=True, slots=True)
class Writer:
    """The program that writes wrap-ups, and how many dollars a day it may cost."""

    name: str
    command: tuple[str, ...]
    budget: float = BUDGET
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of asking: the sentences, or the reason why there are none, and the dollars."""

    written: Written | None
    fault: str
    dollars: float
    unaffordable: bool = False
    """Whether nothing was asked, because the day's budget is spent."""


def writer_named(name: str, *, model: str = "", budget: float = BUDGET) -> Writer:
    """Return the writer called `name`, else `name` as a command line; CalmError if it is none."""
    try:
        words = shlex.split(WRITERS.get(name, name))
    except ValueError as error:
        raise CalmError(f"--with {name!r} is not a valid command line: {error}") from error
    if not words:
        raise CalmError(f"--with names no program; choose from: {', '.join(WRITERS)}, or a command")
    model = model or MODELS.get(name, "")
    return Writer(name, tuple(word.replace("{model}", model) for word in words), budget)


def estimate(transcript: Transcript) -> float:
    """Return about how many dollars it costs to have this session written."""
    tokens = len(question(condense(transcript, LIMIT))) / _CHARACTERS
    return tokens * _DOLLARS_IN + _TOKENS_OUT * _DOLLARS_OUT


def cost_notice(kb: KnowledgeBase, writer: Writer) -> str:
    """Return in one line what a session costs, and what may be spent today."""
    left = budget_left(kb.environment, writer)
    return (
        f"{writer.name} gets each session, condensed and filtered: about ${TYPICAL:.3f} a session "
        f"at a small model's price, ${left:.2f} left of today's ${writer.budget:.2f}."
    )


def budget_left(environment: Environment, writer: Writer) -> float:
    """Return the dollars that are left of today's budget."""
    return max(0.0, writer.budget - sum(spent_on(environment.state, environment.now())))


def write_draft(
    environment: Environment, writer: Writer, transcript: Transcript, extracted: Draft
) -> tuple[Draft, Attempt]:
    """Return the draft in the model's words, or `extracted` as it is with the reason.

    `transcript` must be filtered: it leaves the machine. Nothing is asked once the budget is spent.
    """
    # What the program said of its last calls is better than what we can guess.
    costs = spent_on(environment.state, environment.now(), writer.name)
    expected = max([estimate(transcript), *costs[-3:]])
    if expected > budget_left(environment, writer):
        fault = f"today's budget of ${writer.budget:.2f} is spent"
        return extracted, Attempt(None, fault, 0.0, unaffordable=True)
    done = _ask(environment, writer, transcript, expected)
    note_spending(environment.state, environment.now(), done.dollars, writer.name)
    if done.written is None:
        return extracted, done
    written = done.written
    draft = replace(
        extracted,
        summary=written.summary,
        friction_points=written.friction_points,
        said=(),
        next_steps=written.next_steps or extracted.next_steps,
        learnings=written.learnings,
    )
    return draft, done


def written_draft(kb: KnowledgeBase, writer: Writer, path: Path, extracted: Draft) -> Draft:
    """Return the draft of the transcript at `path` in a model's words.

    CalmError with the reason where the model gave none: its cost was asked for.
    """
    transcript = read_transcript(path)
    redactor = kb.at(Path(transcript.working_directory)).redactor
    made, attempt = write_draft(
        kb.environment, writer, filtered(transcript, redactor.contents), extracted
    )
    if attempt.written is None:
        raise CalmError(f"{writer.name} wrote no entry: {attempt.fault}; leave out --with")
    return made


def _ask(
    environment: Environment, writer: Writer, transcript: Transcript, expected: float
) -> Attempt:
    lines = condense(transcript, LIMIT)
    env = {**environment.env, CHILD: "1"}
    result = ask_program(writer.command, question(lines), env=env, seconds=writer.seconds)
    dollars = expected if result.dollars is None else result.dollars
    if result.fault:
        return Attempt(None, result.fault, dollars if result.ran else 0.0)
    try:
        return Attempt(read_written(result.text, lines), "", dollars)
    except TranscriptError as error:
        return Attempt(None, str(error), dollars)
