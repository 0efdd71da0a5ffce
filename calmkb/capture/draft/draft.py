"""A wrap-up drawn from a transcript without a model: extractive, and the same every time."""

from calmkb.capture.draft.next_steps import next_steps
from calmkb.capture.draft.quotes import quoted_points
from calmkb.capture.draft.summary import changed_files, requests, summarise
from calmkb.capture.formats.turns import Transcript
from calmkb.capture.tool_calls.attempts import attempts
from calmkb.capture.tool_calls.failures import failure_points
from calmkb.errors import TranscriptError
from calmkb.model import Draft

POINTS = 12
"""More than a person will read at the end of a session."""


def trivial(transcript: Transcript) -> bool:
    """Tell a session in which no person asked for anything."""
    return not any(turn.role == "person" for turn in transcript.turns) and not requests(
        transcript.turns
    )


def draft(transcript: Transcript) -> Draft:
    """Return the draft of a session's wrap-up; TranscriptError if no person spoke in it."""
    if trivial(transcript):
        raise TranscriptError(
            f"Session {transcript.session_id or '(unnamed)'} holds no prompt of a person;"
            " write its summary by hand"
        )
    done = attempts(transcript)
    points = [*quoted_points(transcript.turns), *failure_points(done)]
    return Draft(
        summary=summarise(transcript, done),
        friction_points=tuple(dict.fromkeys(points))[:POINTS],
        next_steps=tuple(next_steps(transcript.turns)),
        working_directory=transcript.working_directory,
        agent=transcript.agent,
        session_id=transcript.session_id,
        files=changed_files(transcript),
        ended_at=transcript.ended_at,
        broken_lines=transcript.broken_lines,
    )
