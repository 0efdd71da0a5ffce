"""A wrap-up drafted from a transcript without a model: extractive, and the same every time."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from calmkb.capture.draft.commits import commits_in, shows_a_commit, titles_opened
from calmkb.capture.draft.findings import cause_points, marked_findings
from calmkb.capture.draft.goal import requests
from calmkb.capture.draft.next_steps import next_steps
from calmkb.capture.draft.person import person_turns, quoted_points
from calmkb.capture.draft.summary import changed_files, summarise
from calmkb.capture.draft.title import READ, title
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.tool_calls.attempts import attempts
from calmkb.capture.tool_calls.failures import failure_points
from calmkb.errors import TranscriptError
from calmkb.model import COMMITS_LIMIT, Draft
from calmkb.model.sessions.entries import THREAD_LIMIT

Contents = Callable[[Sequence[str]], Sequence[str]]
"""The filter for the texts of one record."""
POINTS = 12
"""More than a person will read at the end of a session."""


def draft(transcript: Transcript) -> Draft:
    """Return the draft of a session's wrap-up; TranscriptError if no person spoke in it."""
    prompts = person_turns(transcript.turns)
    asked, made = requests(transcript.turns, prompts, READ), commits_in(transcript)
    files = changed_files(transcript)
    named = [*(one.subject for one in made), *titles_opened(transcript)]
    if not prompts and not asked:
        raise TranscriptError(
            f"Session {transcript.session_id or '(unnamed)'} holds no prompt of a person;"
            " write its summary by hand"
        )
    done = attempts(transcript)
    found = marked_findings(transcript.turns)
    points = quoted_points(prompts) | failure_points(done) | cause_points(found)
    return Draft(
        summary=summarise(transcript, done, prompts, found),
        title=title(named, asked, files, transcript.branch),
        friction_points=tuple(points)[:POINTS],
        said=tuple(points.values())[:POINTS],
        next_steps=tuple(next_steps(transcript.turns, prompts)),
        working_directory=transcript.working_directory,
        agent=transcript.agent,
        session_id=transcript.session_id,
        files=files,
        commits=tuple(one.id for one in made)[-COMMITS_LIMIT:],
        thread=tuple(dict.fromkeys(_thread(transcript)))[-THREAD_LIMIT:],
        ended_at=transcript.ended_at,
        broken_lines=transcript.broken_lines,
        unknown_kinds=transcript.unknown_kinds,
    )


def _thread(transcript: Transcript) -> Iterator[str]:
    """Yield a hash of how it began, and of how it went on after each compaction.

    A session that resumes or forks this one begins at one of these places.
    """
    turns, at = transcript.turns, transcript.started_at
    first = next((place for place, one in enumerate(turns) if one.role == "person"), 0)
    for place, turn in enumerate(turns):
        if place == first or turn.kind == "compaction":
            at = turn.timestamp if turn.kind == "compaction" else at
            answer = next((one for one in turns[place:] if one.role == "agent"), turn)
            shared = [transcript.agent, str(at), turn.text, answer.text, answer.tool_use_id]
            if at:
                yield hashlib.sha256("\0".join(shared).encode(errors="replace")).hexdigest()[:16]


def filtered(transcript: Transcript, contents: Contents) -> Transcript:
    """Return the transcript with the texts that a draft quotes filtered together.

    Half a span or half a secret could not be known for one. What a tool returned without failing
    is not quoted, and stays: it is most of a transcript.
    """
    texts = [text for turn in transcript.turns for text in _quoted(turn)]
    clean = iter(contents(texts))
    return replace(transcript, turns=tuple(_with(turn, clean) for turn in transcript.turns))


def _quoted(turn: Turn) -> list[str]:
    if turn.role == "tool" and not turn.failed and not shows_a_commit(turn):
        return []
    return [turn.text, *(item.text for item in turn.plan or ())]


def _with(turn: Turn, clean: Iterator[str]) -> Turn:
    if not _quoted(turn):
        return turn
    text = next(clean)
    plan = turn.plan and tuple(replace(item, text=next(clean)) for item in turn.plan)
    return replace(turn, text=text, plan=plan)
