"""What is said of failures in real sessions, and how much of a careful reader's list is told.

DATA holds sessions.tar.xz or sessions/*.jsonl, and sessions_read.jsonl where somebody read some.
"""

import json
import re
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import read_transcript
from calmkb.capture.formats.turns import Transcript
from calmkb.capture.mining.signals import mine
from calmkb.capture.tool_calls.attempts import Attempt, attempts
from calmkb.capture.tool_calls.commands import UNSAFE
from calmkb.capture.tool_calls.failures import Failure, failure_points, failures, sentence
from calmkb.errors import TranscriptError

_NEAR = 8
"""Lines between a failed call and the line that a reader named for it."""
_NAME = re.compile(r"`([^`]+)`|\b(\w+[._/-]\w[\w./-]*|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+)|\((\w+)")


@dataclass(frozen=True, slots=True)
class Session:
    """A transcript with its calls, and what is said of those that failed."""

    name: str
    transcript: Transcript
    calls: list[Attempt]
    told: list[Failure]
    points: tuple[str, ...]


def main(folder: Path) -> None:
    """Print what is said of the failures of all sessions, and what it costs."""
    with _session_files(folder) as paths:
        if not paths:
            return
        start = time.process_time()
        for path in paths:
            for line in path.read_bytes().splitlines():
                _parsed(line)
        parsed = time.process_time() - start
        start = time.process_time()
        sessions = [session for path in paths if (session := _session(path))]
        mined = [mine(session.transcript) for session in sessions]
        spent = time.process_time() - start
    _show_statements(sessions, mined)
    print(
        f"\nRead, drafted and mined in {spent / parsed:.1f} x the time of json.loads of all lines."
    )
    _show_read(folder, {session.name: session for session in sessions})


def _session(path: Path) -> Session | None:
    try:
        transcript = read_transcript(path)
    except TranscriptError:
        return None
    calls = attempts(transcript)
    said = set(failure_points(calls))
    told = [one for one in failures(calls) if sentence(one) in said]
    try:
        points = draft(transcript).friction_points
    except TranscriptError:
        points = ()
    return Session(path.name, transcript, calls, told, points)


def _show_statements(
    sessions: Sequence[Session], mined: Sequence[Sequence[dict[str, Any]]]
) -> None:
    told = [one for session in sessions for one in session.told]
    failed = sum(call.failed for session in sessions for call in session.calls)
    hidden = sum(
        call.failed and not session.transcript.turns[call.place].failed
        for session in sessions
        for call in session.calls
    )
    states = Counter(one.ending.state for one in told)
    signals = sum(fields["type"] == "failure" for found in mined for fields in found)
    unsafe = sum(bool(UNSAFE.search(one.ending.remedy)) for one in told)
    print(f"\n{len(sessions)} sessions: {failed} failed calls ({hidden} behind a pager)\n")
    print("| statements | with a remedy | unsafe | after edits | open | signals |")
    print("|---|---|---|---|---|---|")
    print(
        f"| {len(told)} | {states['remedied']} | {unsafe} | {states['edited']} | "
        f"{states['open'] + states['unclear']} | {signals} |"
    )


def _show_read(folder: Path, sessions: dict[str, Session]) -> None:
    rows = _rows(folder / "sessions_read.jsonl")
    points = [
        (point, sessions[row["file"]])
        for row in rows
        if row["file"] in sessions
        for point in row["friction"]
    ]
    if not points:
        return
    failed = [(point, session) for point, session in points if _failed_near(point, session)]
    for name, chosen in (("at a failed call", failed), ("in all", points)):
        found = sum(_is_told(point, session) for point, session in chosen)
        print(f"Of a careful reader's points {name}: {_share(found, len(chosen))} told")


def _failed_near(point: dict[str, Any], session: Session) -> bool:
    return any(
        call.failed and call.kind == "result" and _is_near(point, call.line)
        for call in session.calls
    )


def _is_told(point: dict[str, Any], session: Session) -> bool:
    """Tell whether the entry names the failure at the reader's line, or what the reader named."""
    if any(
        _is_near(point, line) for one in session.told for line in (one.first.line, one.last.line)
    ):
        return True
    names = {name for found in _NAME.findall(str(point["text"])) for name in found if len(name) > 3}
    entry = " ".join(session.points)
    return sum(name in entry for name in names) * 2 >= max(len(names), 1)


def _is_near(point: dict[str, Any], line: int) -> bool:
    at = point.get("line")
    return isinstance(at, int) and abs(at - line) <= _NEAR


def _share(found: int, total: int) -> str:
    """Return a share with its 95 % interval (Wilson) beside the size of the set."""
    if not total:
        return "none"
    part, z = found / total, 1.96
    middle = (part + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(part * (1 - part) / total + z * z / (4 * total**2)) / (1 + z * z / total)
    return f"{found} of {total} ({part:.2f}; {middle - half:.2f} to {middle + half:.2f})"


@contextmanager
def _session_files(folder: Path) -> Iterator[list[Path]]:
    archive = folder / "sessions.tar.xz"
    if not archive.is_file():
        yield sorted((folder / "sessions").glob("*.jsonl"))
        return
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(archive) as tar:
        tar.extractall(scratch, filter="data")
        yield sorted(Path(scratch).rglob("*.jsonl"))


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
