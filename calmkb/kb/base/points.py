"""The extension points: where the wings, and other installed packages, take part in the loop.

Each function is one point: it says what those who take part are given and what comes of it. The
verbs of the loop call these and no wing by name. Those of `WINGS` are asked first, in the order of
the table, then what packages declare as entry points in the group `calmkb.points`; each is loaded
when its point is reached. An error is the caller's, as if the verb had raised it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from calmkb.system.entry_points import added, load

if TYPE_CHECKING:
    from calmkb.capture.settings.hooks import Hook
    from calmkb.documents.findings import Finding
    from calmkb.kb.base.environment import Environment
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.hooks.answer import HookAnswer
    from calmkb.model import Memory, Proposal

Statements = Sequence[tuple[str, str]]
"""Texts, each with its scope before it."""

WINGS: dict[str, dict[str, str]] = {
    "archive": {"session_started": "calmkb.kb.archive.background:session_started"},
    "proof": {
        "memory_made": "calmkb.kb.verify.anchors:with_anchors",
        "memory_faults": "calmkb.kb.verify.memories:faults",
        "memories_checked": "calmkb.kb.verify.memories:findings",
        "said_by_code": "calmkb.kb.verify.plain:plain_from_code",
        "proposals_shown": "calmkb.kb.verify.anchors:with_names",
        "session_started": "calmkb.kb.recall.session_start:session_started",
        "hook_answer.PreToolUse": "calmkb.kb.enforce.before_tool:answer",
        "hook_answer.StopCheck": "calmkb.kb.enforce.before_stop:answer",
        "hooks_wanted": "calmkb.kb.enforce.hooks:wanted",
    },
}
"""By wing: the points at which it takes part, each with its function as `module:NAME`."""


class Fault(NamedTuple):
    """What a memory names and its project lacks; `gone` where it was there once."""

    name: str
    message: str
    gone: bool


def memory_made(kb: "KnowledgeBase", memory: "Memory") -> "Memory":
    """Return a memory as it is to be saved: each changes what the one before returned."""
    for change in taking_part("memory_made"):
        memory = change(kb, memory)
    return memory


def memory_faults(
    kb: "KnowledgeBase", memories: Sequence["Memory"], *, everywhere: bool = False
) -> dict[str, list[Fault]]:
    """Return by memory id what it says of its project that is not so; others are left out.

    With `everywhere` memories count that hold in every project, too.
    """
    found: dict[str, list[Fault]] = {}
    for ask in taking_part("memory_faults"):
        for key, faults in ask(kb, memories, everywhere=everywhere).items():
            found.setdefault(key, []).extend(faults)
    return found


def memories_checked(kb: "KnowledgeBase", memories: Mapping[str, "Memory"]) -> Iterator["Finding"]:
    """Yield what `check` reports of memories, which are given by their paths in the journal."""
    for ask in taking_part("memories_checked"):
        yield from ask(kb, memories)


def said_by_code(kb: "KnowledgeBase", statements: Statements) -> list[str]:
    """Return for each statement the place in the code that says all of it, else ""."""
    found = [""] * len(statements)
    for ask in taking_part("said_by_code"):
        found = [one or more for one, more in zip(found, ask(kb, statements), strict=True)]
    return found


def proposals_shown(kb: "KnowledgeBase", proposals: Sequence["Proposal"]) -> list["Proposal"]:
    """Return proposals as a person is shown them: each changes what the one before returned."""
    shown = list(proposals)
    for change in taking_part("proposals_shown"):
        shown = change(kb, shown)
    return shown


def session_started(kb: "KnowledgeBase") -> None:
    """Tell that a client begins a session in a folder of `kb`. A person waits meanwhile."""
    for act in taking_part("session_started"):
        act(kb)


def hook_answer(environment: "Environment", event: str, stream: BinaryIO) -> "HookAnswer | None":
    """Return what a client is told that asks by a hook, None where no wing answers this one.

    The point's name ends with the event's: `hook_answer.PreToolUse`.
    """
    for answer in taking_part(f"hook_answer.{event}"):
        found: HookAnswer = answer(environment, stream)
        return found
    return None


def hooks_wanted(environment: "Environment", program: str) -> dict[str, "Hook"]:
    """Return by task the hooks that a client's settings need beside those of capture."""
    found: dict[str, Hook] = {}
    for ask in taking_part("hooks_wanted"):
        found |= ask(environment, program)
    return found


def taking_part(point: str) -> Iterator[Callable[..., Any]]:
    """Yield the functions at a point, each loaded when its turn comes."""
    for wing in WINGS.values():
        if point in wing:
            yield load(wing[point])
    # An entry point's name is the point's; several packages tell theirs apart after a dot.
    for name, place in added("calmkb.points").items():
        if name == point or name.startswith(f"{point}."):
            yield load(place)
