"""The extension points: where the wings, and other installed packages, take part in the loop.

Each function is one point: it says what those who take part are given and what comes of it. The
verbs of the loop call these and no wing by name. Those of `wings` are asked first, in the order of
the table, then what packages declare as entry points in the group `calmkb.points`; each is loaded
when its point is reached. An error is the caller's, as if the verb had raised it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, BinaryIO

from calmkb.errors import NotFoundError
from calmkb.kb.base.wings import WINGS
from calmkb.system.entry_points import added

if TYPE_CHECKING:
    from pathlib import Path

    from calmkb.capture.settings.hooks import Hook
    from calmkb.documents.findings import Finding
    from calmkb.kb.base.environment import Environment
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.base.tool import Tool
    from calmkb.kb.hooks.answer import HookAnswer
    from calmkb.kb.journal.sessions import Contents
    from calmkb.model import Entry, Memory, Proposal
    from calmkb.model.memories.backtest import Cost
    from calmkb.model.memories.enforcement import Fault, NamedState, Stopped
    from calmkb.model.sessions.kept import HandOver, MomentsWanted, SessionFound, Thread
    from calmkb.model.trust import TrustRequest
    from calmkb.reflect.proposals.propose import Proposals
    from calmkb.reflect.similarity.methods import Embed


def embedder() -> "Embed | None":
    """Return what turns texts into vectors of 384 numbers and length 1; None without a model."""
    return next((found for make in taking_part("embedder") if (found := make())), None)


def memory_made(kb: "KnowledgeBase", memory: "Memory") -> "Memory":
    """Return a memory as it is to be saved: each changes what the one before returned."""
    for change in taking_part("memory_made"):
        memory = change(kb, memory)
    return memory


def memory_faults(
    kb: "KnowledgeBase", memories: Sequence["Memory"], *, everywhere: bool = False
) -> dict[str, list["Fault"]]:
    """Return by memory id what it says of its project that is not so; others are left out.

    With `everywhere` memories count that hold in every project, too.
    """
    return _by_memory("memory_faults", kb, memories, everywhere=everywhere)


def memories_checked(kb: "KnowledgeBase", memories: Mapping[str, "Memory"]) -> Iterator["Finding"]:
    """Yield what `check` reports of memories, which are given by their paths in the journal."""
    for ask in taking_part("memories_checked"):
        yield from ask(kb, memories)


def names_of(kb: "KnowledgeBase", memories: Sequence["Memory"]) -> dict[str, list["NamedState"]]:
    """Return by memory id what it speaks of in the code, and how that is today."""
    return _by_memory("names_of", kb, memories)


def calls_stopped(kb: "KnowledgeBase") -> dict[str, "Stopped"]:
    """Return by memory id which calls of agents were stopped for it on this machine."""
    return {key: one for ask in taking_part("calls_stopped") for key, one in ask(kb).items()}


def trouble_costs(
    kb: "KnowledgeBase", quotes: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], "Cost"]:
    """Return by session and quote what a trouble cost the session, where that is known.

    `quotes` are what each session says of its troubles, by the session's own id.
    """
    found = (ask(kb, quotes) for ask in taking_part("trouble_costs"))
    return {key: cost for costs in found for key, cost in costs.items()}


def proposals_judged(
    kb: "KnowledgeBase", made: "Proposals", contents: "Contents", *, everything: bool = False
) -> "Proposals":
    """Return proposals open or, unless `everything` is wanted, held back: each changes them."""
    for change in taking_part("proposals_judged"):
        made = change(kb, made, contents, everything=everything)
    return made


def proposals_shown(kb: "KnowledgeBase", proposals: Sequence["Proposal"]) -> list["Proposal"]:
    """Return proposals as a person is shown them: each changes what the one before returned."""
    shown = list(proposals)
    for change in taking_part("proposals_shown"):
        shown = change(kb, shown)
    return shown


def approvals_needed(kb: "KnowledgeBase") -> tuple["TrustRequest", ...]:
    """Return what a person must approve before commands run code that the settings name."""
    return tuple(one for ask in taking_part("approvals_needed") for one in ask(kb))


def session_started(kb: "KnowledgeBase") -> str:
    """Tell that a client begins a session in a folder of `kb`; return what a person is told."""
    return "; ".join(filter(None, [act(kb) for act in taking_part("session_started")]))


def sessions_imported(environment: "Environment", paths: Sequence["Path"]) -> list[str]:
    """Tell that sessions were imported, all that are new or those in `paths`; return what to say.

    OSError where something that was to begin cannot.
    """
    return [line for act in taking_part("sessions_imported") for line in act(environment, paths)]


def find_moments(
    kb: "KnowledgeBase", wanted: "MomentsWanted", *, meaning: bool = False
) -> list["SessionFound"]:
    """Return sessions with the moments that fit what is asked of them, best first."""
    asked = taking_part("find_moments")
    return [one for find in asked for one in find(kb, wanted, meaning=meaning)]


def sessions_not_searched(kb: "KnowledgeBase", wanted: "MomentsWanted") -> tuple[int, int]:
    """Return how many sessions of other projects were left out, and how many are not kept."""
    found = [ask(kb, wanted) for ask in taking_part("sessions_not_searched")]
    return sum(others for others, _ in found), sum(unkept for _, unkept in found)


def open_thread(environment: "Environment", address: str, *, around: int = 8) -> "Thread":
    """Return the turns `around` the line of SESSION:LINE, or all of a SESSION.

    Raises NotFoundError where no session, or more than one, has that name.
    """
    return _first("open_thread", address)(environment, address, around=around)  # type: ignore[no-any-return]


def hand_over(environment: "Environment", session: str, *, tokens: int) -> "HandOver":
    """Return what a session leaves to the one that goes on, in so many tokens; NotFoundError."""
    return _first("hand_over", session)(environment, session, tokens=tokens)  # type: ignore[no-any-return]


def proposals_waiting(kb: "KnowledgeBase", *, without: str = "") -> tuple["Memory", ...]:
    """Return the proposals that wait elsewhere, but for those of the branch `without`."""
    asked = taking_part("proposals_waiting")
    return tuple(memory for ask in asked for memory in ask(kb, without=without))


def proposals_added(kb: "KnowledgeBase", entries: Mapping[str, "Entry"]) -> list["Proposal"]:
    """Return further proposals from sessions that no review has covered, given by their ids."""
    return [one for ask in taking_part("proposals_added") for one in ask(kb, entries)]


def sessions_done(kb: "KnowledgeBase", entries: Collection[str]) -> None:
    """Tell that these sessions are reviewed or forgotten."""
    for act in taking_part("sessions_done"):
        act(kb, entries)


def session_wrapped(kb: "KnowledgeBase", entry: "Entry", folder: "Path") -> None:
    """Tell that the session in a folder has an entry."""
    for act in taking_part("session_wrapped"):
        act(kb, entry, folder)


def share(kb: "KnowledgeBase", remote: str) -> str:
    """Share a new journal with a remote, by name or address; return what it is called then."""
    return next(iter([act(kb, remote) for act in taking_part("share")]), "")


def tool_sets() -> dict[str, Sequence["Tool"]]:
    """Return the sets of MCP tools by name that are offered beside the server's own.

    The point's name ends with the set's: `tool_set.private`.
    """
    begin = "tool_set."
    return {name.removeprefix(begin): resolve_name(place) for name, place in _table(begin)}


def server_started(tool_sets: Sequence[str], journal_path: str | None) -> None:
    """Tell that an MCP server with these sets of tools begins to answer."""
    for act in taking_part("server_started"):
        act(tool_sets, journal_path)


def hook_answer(environment: "Environment", event: str, stream: BinaryIO) -> "HookAnswer | None":
    """Return what a client is told that asks by a hook: the point `hook_answer.PreToolUse`."""
    answers = (answer(environment, stream) for answer in taking_part(f"hook_answer.{event}"))
    return next(answers, None)


def hooks_wanted(environment: "Environment", program: str) -> dict[str, "Hook"]:
    """Return by task the hooks that a client's settings need beside those of capture."""
    asked = taking_part("hooks_wanted")
    return {task: hook for ask in asked for task, hook in ask(environment, program).items()}


def _by_memory(point: str, *given: object, **how: object) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for ask in taking_part(point):
        for key, more in ask(*given, **how).items():
            found.setdefault(key, []).extend(more)
    return found


def _first(point: str, name: str) -> Callable[..., Any]:
    if answer := next(taking_part(point), None):
        return answer
    raise NotFoundError(f"no kept session begins with {name!r}")


def taking_part(point: str) -> Iterator[Callable[..., Any]]:
    """Yield the functions at a point, as POINT or POINT.ANY, each loaded when its turn comes."""
    for name, place in _table(point):
        if name == point or name.startswith(f"{point}."):
            yield resolve_name(place)


def _table(begin: str) -> Iterator[tuple[str, str]]:
    for table in (*WINGS.values(), added("calmkb.points")):
        yield from ((name, place) for name, place in table.items() if name.startswith(begin))
