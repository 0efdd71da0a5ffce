"""Which memories are enforced on this machine, and what their checks stopped.

A person's choice, outside every repository: `checks.json` holds them, `checks.words` the patterns
by which a hook's shell sees that none can fire, `checks.pass` the one call that a person let pass.
`checks.jsonl` has a line for each that fired: ids and checks, no call, for it may hold a secret.
"""

import contextlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from calmkb.errors import StoreError
from calmkb.model.memories.enforcement import Stopped
from calmkb.store.local.state_files import add_rows, load, record_of, records_of, rows_in, save
from calmkb.system.files import make_private_folder, write_atomically

if TYPE_CHECKING:  # a client waits for what notes what fired
    from calmkb.capture.settings.hooks import Hook
    from calmkb.kb.base.environment import Environment
    from calmkb.kb.base.knowledge_base import KnowledgeBase

NAME, WORDS, PASS = "checks.json", "checks.words", "checks.pass"
PASS_SECONDS = 600  # how long a call that was let pass may take to come


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
    make_private_folder(state)
    words = "".join(f"{one}\n" for one in patterns)
    write_atomically(state / WORDS, words.encode(), mode=0o600)
    save(state / NAME, memories)


TASKS = ("StopCheck", "PreToolUse")


def hooks_wanted(environment: "Environment", program: str) -> "dict[str, Hook]":
    """Return by task the hooks that are needed: before a tool acts, and at the end of a turn."""
    from calmkb.capture.settings.hooks import blocking_hook
    from calmkb.wings.proof.enforce.checks import parse_check
    from calmkb.wings.proof.hook_commands import check_hook, stop_command

    rows = read_enforced(environment.own)
    at_stop = [parse_check(line).at_stop for row in rows for line in row.checks]
    hooks = {}
    if not all(at_stop):
        hooks["PreToolUse"] = check_hook(program, reads=False)
    if any(at_stop):
        hooks["StopCheck"] = blocking_hook("Stop", stop_command(program))
    return hooks


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


FIRED = "checks.jsonl"


@dataclass(frozen=True, slots=True)
class FiredCheck:
    """One call that broke a memory's check, and its outcome: block, warn, or passed by a person.

    `at` is an ISO time with its offset, `session` the client's id.
    """

    memory: str
    knowledge_base: str
    session: str
    at: str
    check: str
    outcome: Literal["block", "warn", "passed"]


def note_fired(state: Path, fired: FiredCheck) -> None:
    """Append one line; a full disk loses it, for the client waits for an answer."""
    with contextlib.suppress(StoreError):
        add_rows(state / FIRED, [asdict(fired)], durable=False)


def stopped(kb: "KnowledgeBase") -> dict[str, Stopped]:
    """Return by memory what its checks stopped here; a line that is no such row is passed over."""
    rows: dict[str, list[FiredCheck]] = defaultdict(list)
    for row in rows_in(kb.environment.own / FIRED):
        one = record_of(FiredCheck, row)
        if one and one.knowledge_base == str(kb.root):
            rows[one.memory].append(one)
    return {memory: _sum(some) for memory, some in rows.items()}


def _sum(rows: list[FiredCheck]) -> Stopped:
    count = [one.outcome for one in rows].count
    return Stopped(
        blocked=count("block"),
        warned=count("warn"),
        passed=count("passed"),
        sessions=len({one.session for one in rows}),
        last=max(one.at for one in rows)[:10],
    )
