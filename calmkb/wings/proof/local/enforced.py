"""Which memories are enforced on this machine: a person's choice, outside every repository.

`checks.json` holds them, `checks.words` the patterns by which a hook's shell sees that none can
fire, and `checks.pass` the one call that a person let pass.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.store.local.state_files import load, records_of, save
from calmkb.system.files import make_private_folder

NAME, WORDS, PASS = "checks.json", "checks.words", "checks.pass"
PASS_SECONDS = 600
"""How long a call that was let pass may take to come."""


@dataclass(frozen=True, slots=True)
class EnforcedMemory:
    """A memory that is checked here: of which knowledge base, for which project, how strictly."""

    memory: str
    knowledge_base: str
    scope: str
    level: str
    text: str
    checks: tuple[str, ...]


def read_enforced(state: Path) -> tuple[EnforcedMemory, ...]:
    """Return what is enforced here; what cannot be read for sure is not."""
    return tuple(records_of(EnforcedMemory, load(state / NAME)))


def write_enforced(
    state: Path, memories: Sequence[EnforcedMemory], patterns: Sequence[str]
) -> None:
    """Replace what is enforced here, and the patterns that the shell looks for.

    StoreError where the disk refuses.
    """
    from calmkb.system.files import write_atomically

    make_private_folder(state)
    words = "".join(f"{one}\n" for one in patterns)
    write_atomically(state / WORDS, words.encode(), mode=0o600)
    save(state / NAME, memories)


def allow_once(state: Path, memory: str, now: float) -> None:
    """Let the next call that breaks a check of this memory pass; StoreError on a full disk."""
    save(state / PASS, {"memory": memory, "until": now + PASS_SECONDS})


def take_pass(state: Path, memory: str, now: float) -> bool:
    """Return whether a person let this memory's next call pass; it is used up by asking."""
    try:
        row = load(state / PASS)
        good = row["memory"] == memory and now <= float(row["until"])
    except (ValueError, LookupError, TypeError):
        return False
    if good:
        with contextlib.suppress(OSError):
            (state / PASS).unlink()
    return good


TURNS = "turns"
_KEPT_SECONDS = 14 * 86_400


def keep_counts(state: Path, now: float) -> None:
    """Make the folder that the shell writes in, and drop the files of sessions long over.

    Where it cannot be made nothing is kept, and each end of a turn is looked at.
    """
    with contextlib.suppress(OSError):
        make_private_folder(state / TURNS)
        for path in (state / TURNS).iterdir():
            if path.stat().st_mtime < now - _KEPT_SECONDS:
                path.unlink()
