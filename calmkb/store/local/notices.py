"""What the status line may say at once: a line for each project with something to be looked at.

A note, not the truth: it is written where sessions are left, taken up and begun, so that a status
line need not read the journal. Without it the status line says less, and nothing else changes.
"""

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path

CONTINUATIONS, EXPORTS, WAITING = "continuations.json", "exports.json", "waiting.json"
_LENGTH, _FAILURE_LENGTH = 60, 300


def note(state: Path, name: str, project: str, words: str, length: int = _LENGTH) -> None:
    """Note in the file `name` a line on `project`, or with no words that there is nothing."""
    known = read_notices(state, name)
    line = " ".join(words.split())[:length]
    changed = {**known, project: line} if line else {k: v for k, v in known.items() if k != project}
    if changed != known:
        from calmkb.errors import StoreError
        from calmkb.store.local.state_files import save

        with contextlib.suppress(StoreError):  # a status line is worth no failed wrap-up
            save(state / name, changed)


def note_failure(state: Path, job: str, words: str) -> None:
    """Note why a job in the background failed, or with no words that it did not.

    Each job has a file of its own: two may end at once.
    """
    note(state, f"{job}-failed.json", job, words, _FAILURE_LENGTH)


def read_failures(state: Path, jobs: Iterable[str]) -> dict[str, str]:
    """Return why each job failed that did not succeed since."""
    found = ((job, read_notices(state, f"{job}-failed.json").get(job)) for job in jobs)
    return {job: words for job, words in found if words}


def read_notices(state: Path, name: str) -> dict[str, str]:
    """Return the line of each project; nothing where the note is missing or broken."""
    try:
        found = json.loads((state / name).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {key: value for key, value in pairs if isinstance(key, str) and isinstance(value, str)}
