"""A client's transcript as the archive keeps it: whole texts, not yet filtered."""

from collections.abc import Iterator
from pathlib import Path

from calmkb.capture.draft.commits import commits_in
from calmkb.capture.formats.cleaning import Window, whole_texts
from calmkb.capture.formats.table import read_transcript
from calmkb.capture.formats.turns import Transcript
from calmkb.capture.history.sources import is_sub_agents
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.wings.archive.verbs.place import text_of_path

AUTOMATED, SUB_AGENT, PERSON, COMMITTED = 0, 1, 2, 4
"""What a session is worth when room is needed: the older and the less worth goes first."""


def read_session(
    path: Path, projects: SessionProjects, window: Window
) -> tuple[KeptSession, list[KeptTurn]]:
    """Return the session in a client's file, with the turns that begin in the window.

    Raises TranscriptError where there is none.
    """
    with whole_texts(window):
        transcript = read_transcript(path)
    folders = transcript.folders or (transcript.working_directory,)
    project = projects.project([one for one in folders if one], transcript.remote)
    is_claude = transcript.agent == "claude-code"
    stem = Path(text_of_path(path)).stem
    session_id = stem if is_claude else transcript.session_id or stem
    commits = tuple(made.id for made in commits_in(transcript))
    session = KeptSession(
        agent=transcript.agent,
        name=stem if is_claude else session_id,
        resume_id=transcript.session_id or session_id,
        folder=transcript.working_directory,
        project=project.name,
        repository=project.repository,
        branch=transcript.branch,
        source=text_of_path(path),
        started_at=transcript.started_at,
        ended_at=transcript.ended_at,
        commits=commits,
        weight=_weight(path, transcript, commits),
        part_of=transcript.session_id if is_sub_agents(path) else "",
    )
    inside = range(window.after + 1, window.last + 1)
    is_part = window.after or window.more
    return session, [one for one in _turns(transcript) if not is_part or one.line in inside]


def _weight(path: Path, transcript: Transcript, commits: tuple[str, ...]) -> int:
    if is_sub_agents(path):
        return SUB_AGENT
    if transcript.automated:
        return AUTOMATED
    return COMMITTED if commits else PERSON


def _turns(transcript: Transcript) -> Iterator[KeptTurn]:
    """Yield the turns with their places; a format without lines counts its turns."""
    seen: dict[int, int] = {}
    for number, turn in enumerate(transcript.turns, 1):
        line = turn.line or number
        seen[line] = part = seen.get(line, -1) + 1
        yield KeptTurn(
            line=line, part=part, at=turn.timestamp, role=turn.role, kind=turn.kind,
            tool=turn.tool, text=turn.text, files=turn.files, change=turn.change,
            failed=turn.failed, side=turn.is_sidechain, tokens=turn.tokens,
        )  # fmt: skip
