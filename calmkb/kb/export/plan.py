"""What an export would change, target by target; nothing is written here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.errors import ExportError
from calmkb.export.base import Output
from calmkb.export.targets.table import EXPORTERS, find_exporter
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.choice import Digest, Question, digest_for
from calmkb.kb.export.files import Change, change_for, stale_files
from calmkb.kb.export.handwritten import Met
from calmkb.kb.export.imports import imported, unread
from calmkb.kb.journal.sessions import read_memories
from calmkb.kb.memories.approval import forged
from calmkb.model import Memory
from calmkb.store.git.repository import find_repository

PLACES: Mapping[str, str] = {
    "project": "CLAUDE.md",
    "dot-claude": ".claude/CLAUDE.md",
    "local": "CLAUDE.local.md",
    "user": ".claude/CLAUDE.md",
}
"""Where Claude Code's memory file may lie: below the home for `user`, else below the project."""
UNBOUNDED = ("skill", "json", "markdown")


@dataclass(frozen=True, slots=True)
class Told:
    """What one target says; `outputs` are its files with their paths as configured."""

    target: str
    digest: Digest
    outputs: tuple[Output, ...]
    changes: tuple[Change, ...]
    place: str = "project"


@dataclass(frozen=True, slots=True)
class Plan:
    """What an export would do; `notes` are for the person."""

    told: tuple[Told, ...]
    notes: tuple[str, ...] = ()
    force: bool = False

    @property
    def changes(self) -> tuple[Change, ...]:
        """The files that are to be written or removed."""
        return tuple(one for told in self.told for one in told.changes if one.needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to export: targets (none: the configured ones), where to, for whom, how much.

    `place` is one of `PLACES` for `claude-md`, `file` an explicit path for one target. `max_tokens`
    bounds each target; None leaves it to the configuration. What is only `printed` is rendered,
    and no file of it is looked at.
    """

    targets: tuple[str, ...] = ()
    place: str = "project"
    file: Path | None = None
    project: str | None = None
    max_tokens: int | None = None
    force: bool = False
    printed: bool = False


def plan(kb: KnowledgeBase, wanted: Wanted, memories: Sequence[Memory] | None = None) -> Plan:
    """Return what an export would change; nothing is written.

    Raises ExportError on a target or place that is none, a broken or hand-edited block, a file that
    is not ours, not UTF-8, read-only or behind a link that leads out of the folder.
    """
    targets = _targets(kb, wanted)
    if wanted.file and len(targets) > 1:
        raise ExportError("one file cannot be of several targets; name one with --target")
    known = read_memories(kb) if memories is None else tuple(memories)
    # In one order whatever the order asked for: where two share a file, the same one writes it.
    for name in targets:
        find_exporter(name)
    told = [told_of(kb, name, wanted, known) for name in EXPORTERS if name in targets]
    once, notes = _each_once(told)
    return Plan(tuple(once), (*notes, *_notes(kb, once)), wanted.force)


def _each_once(told: Sequence[Told]) -> tuple[list[Told], list[str]]:
    """Return the targets, no file in two of them: CLAUDE.md may be a link to AGENTS.md."""
    seen: set[Path] = set()
    once, notes = [], []
    for one in told:
        again = [change for change in one.changes if change.path in seen]
        notes += [
            f"{change.path} is the file of another target too; written once" for change in again
        ]
        kept = tuple(change for change in one.changes if change.path not in seen)
        seen |= {change.path for change in kept}
        once.append(replace(one, changes=kept))
    return once, notes


def told_of(kb: KnowledgeBase, target: str, wanted: Wanted, memories: Sequence[Memory]) -> Told:
    """Return what one target says and which files it changes, with those beside it in mind.

    Raises ExportError as `plan` does.
    """
    exporter = find_exporter(target)
    place = wanted.place if target == "claude-md" else "project"
    if place not in PLACES:
        raise ExportError(f"{place!r} is no place; choose from: {', '.join(PLACES)}")
    folder = folder_of(kb, place)
    made = digest_for(kb, exporter, memories, _question(kb, target, wanted, place, memories))
    if wanted.file is not None and len(made.outputs) > 1:
        raise ExportError(f"{target} writes several files; export it without --file")
    outputs = tuple(replace(o, path=_path_of(kb, target, wanted, place, o)) for o in made.outputs)
    if wanted.printed:
        return Told(target, made, outputs, ())
    if target == "claude-md" and "agents-md" in _targets(kb, wanted) and place != "user":
        outputs = tuple(imported(folder, output) for output in outputs)
    changes = [
        change_for(folder, output, force=wanted.force, personal=place == "user" and not wanted.file)
        for output in outputs
    ]
    if wanted.file is None:
        named = {one.path for one in changes}
        changes += stale_files(folder, exporter, named, force=wanted.force)
    return Told(target, made, outputs, tuple(changes), place)


def _targets(kb: KnowledgeBase, wanted: Wanted) -> tuple[str, ...]:
    return wanted.targets or kb.config.export.targets


def _question(
    kb: KnowledgeBase, target: str, wanted: Wanted, place: str, memories: Sequence[Memory]
) -> Question:
    bound = None if target in UNBOUNDED else kb.config.export.max_tokens
    folder = folder_of(kb, place) if wanted.file is None else wanted.file.absolute().parent
    file = wanted.file or (folder / kb.config.export.file if target == "claude-md" else None)
    return Question(
        folder=folder,
        project=_project(kb, wanted, place),
        budget=wanted.max_tokens or bound,
        elsewhere={} if place == "user" else elsewhere_of(target, _targets(kb, wanted), memories),
        files=(file.absolute(),) if file and place == "project" else (),
        # What reaches every project must not rest on a claim that git contradicts.
        barred=forged(kb, memories) if place == "user" else {},
    )


def _path_of(kb: KnowledgeBase, target: str, wanted: Wanted, place: str, output: Output) -> str:
    if wanted.file is not None:
        return str(wanted.file.absolute())
    if target != "claude-md":
        return output.path
    return kb.config.export.file if place == "project" else PLACES[place]


def elsewhere_of(target: str, targets: Sequence[str], memories: Iterable[Memory]) -> dict[str, str]:
    """Return which memories another target says to the same reader: those of some paths are rules,
    the others stand in the memory file."""
    if target == "claude-md" and "claude-rules" in targets:
        return {memory.id: "claude-rules" for memory in memories if memory.paths}
    if target == "claude-rules" and "claude-md" in targets:
        return {memory.id: "claude-md" for memory in memories if not memory.paths}
    return {}


def _project(kb: KnowledgeBase, wanted: Wanted, place: str) -> str:
    if wanted.project is not None or place == "user":
        return wanted.project or ""  # at home only what holds everywhere
    return kb.config.project or folder_of(kb, place).name


def folder_of(kb: KnowledgeBase, place: str = "project") -> Path:
    """Return where the agent works: the knowledge base's folder, or, if it is the personal one of
    the state folder, the repository (or folder) that one stands in; for `user` the home."""
    if place == "user":
        return kb.environment.home
    if kb.root != kb.environment.home / ".calm" / "kb":
        return kb.root
    repository = find_repository(kb.environment.cwd)
    return repository.top if repository else kb.environment.cwd


def _notes(kb: KnowledgeBase, told: Sequence[Told]) -> list[str]:
    """Return what a person should know of the files beside those that were asked for."""
    notes = dict.fromkeys(_opposite(met) for one in told for met in one.digest.opposites)
    targets = {one.target for one in told}
    agents = any(one.target == "agents-md" and one.digest.selection.items for one in told)
    folder = folder_of(kb, "project")
    if agents and "claude-md" not in targets and unread(folder):
        notes[
            "Claude Code reads CLAUDE.md and so not AGENTS.md: put the line @AGENTS.md "
            "into it, or export claude-md too"
        ] = None
    return list(notes)


def _opposite(met: Met) -> str:
    words = f": {met.words}" if met.words else ""
    return f"memory {met.memory.id[:8]} says the opposite of {met.place}{words}"
