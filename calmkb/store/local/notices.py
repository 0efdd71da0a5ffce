"""What the status line may say at once: a line for each project with something to be looked at.

A note, not the truth: it is written where sessions are left, taken up and begun, so that a status
line need not read the journal. Without it the status line says less, and nothing else changes.
"""

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path

NAME = "continuations.json"
EXPORTS = "exports.json"
WAITING = "waiting.json"
LENGTH = 60
FAILURE_LENGTH = 300


def note_continuation(state: Path, project: str, summary: str) -> None:
    """Note that `project` has work to be continued, or with an empty summary that it has none."""
    _note(state, NAME, project, summary)


def note_export(state: Path, project: str, fault: str) -> None:
    """Note why the digest of `project` was left alone, or with an empty fault that it was not."""
    _note(state, EXPORTS, project, fault)


def note_waiting(state: Path, project: str, words: str) -> None:
    """Note what waits in `project` for a person, or with no words that nothing does."""
    _note(state, WAITING, project, words)


def note_failure(state: Path, job: str, words: str) -> None:
    """Note why a job in the background failed, or with no words that it did not.

    Each job has a file of its own: two may end at once.
    """
    _note(state, f"{job}-failed.json", job, words, FAILURE_LENGTH)


def read_failures(state: Path, jobs: Iterable[str]) -> dict[str, str]:
    """Return why each job failed that did not succeed since."""
    found = ((job, read_notices(state, f"{job}-failed.json").get(job)) for job in jobs)
    return {job: words for job, words in found if words}


def _note(state: Path, name: str, project: str, words: str, length: int = LENGTH) -> None:
    known = read_notices(state, name)
    line = " ".join(words.split())[:length]
    changed = {**known, project: line} if line else {k: v for k, v in known.items() if k != project}
    if changed != known:
        from calmkb.errors import StoreError
        from calmkb.system.files import write_atomically

        with contextlib.suppress(StoreError):  # a status line is worth no failed wrap-up
            text = json.dumps(changed, ensure_ascii=False, sort_keys=True)
            write_atomically(state / name, text.encode(errors="replace"), mode=0o600)


def read_notices(state: Path, name: str = NAME) -> dict[str, str]:
    """Return the line of each project; nothing where the note is missing or broken."""
    try:
        found = json.loads((state / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {key: value for key, value in pairs if isinstance(key, str) and isinstance(value, str)}
