"""What an export would change, target by target; nothing is written here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.capture.history.mapped_name import mapped_name
from calmkb.errors import ExportError
from calmkb.export.base import Exporter, Output
from calmkb.export.block import has_block
from calmkb.export.targets.table import EXPORTERS, find_exporter
from calmkb.kb.export.digests import Digest, DigestRequest, DigestSource, digest_for, elsewhere_of
from calmkb.kb.export.files import Change, change_for, stale_files
from calmkb.kb.instructions.files import (
    HandwrittenMatch,
    agents_md_is_unread,
    beginning,
    with_import,
)
from calmkb.model import Memory

_READ_BY_CLAUDE = ("claude-md", "claude-rules", "agents-md")
PLACES: Mapping[str, str] = {
    "project": "CLAUDE.md",
    "dot-claude": ".claude/CLAUDE.md",
    "local": "CLAUDE.local.md",
    "user": ".claude/CLAUDE.md",
}
"""Where Claude Code's memory file may lie: below the home for `user`, else below the project."""


@dataclass(frozen=True, slots=True)
class TargetPlan:
    """What one target says; `outputs` are its files with their paths as configured."""

    target: str
    digest: Digest
    outputs: tuple[Output, ...]
    changes: tuple[Change, ...]
    place: str = "project"


@dataclass(frozen=True, slots=True)
class Plan:
    """What an export would do; `notes` are for the person."""

    targets: tuple[TargetPlan, ...]
    notes: tuple[str, ...] = ()
    force: bool = False

    @property
    def changes(self) -> tuple[Change, ...]:
        """The files that are to be written or removed."""
        return tuple(one for target in self.targets for one in target.changes if one.needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
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


def plan(source: DigestSource, request: ExportRequest) -> Plan:
    """Return what an export would change; nothing is written.

    Raises ExportError on an unknown target or place, a broken or hand-edited block, a file that
    is not ours, not UTF-8, read-only or behind a link that leads out of the folder.
    """
    request = replace(request, targets=request.targets or _usual_targets(request, source))
    if request.file and len(request.targets) > 1:
        raise ExportError("one file cannot be of several targets; name one with --target")
    for name in request.targets:
        find_exporter(name)
    if request.project:
        request = replace(request, project=source.names.name(request.project))
    # In one order whatever the order asked for: where two share a file, the same one writes it.
    planned: list[TargetPlan] = []
    for name in (one for one in EXPORTERS if one in request.targets):
        elsewhere = _elsewhere(source, planned) if EXPORTERS[name].personal else {}
        planned.append(plan_target(source, name, request, elsewhere))
    targets, notes = _without_repeated_files(planned)
    return Plan(tuple(targets), (*notes, *_notes(source.folder, targets)), request.force)


def _usual_targets(request: ExportRequest, source: DigestSource) -> tuple[str, ...]:
    """Return the targets of a request that names none; a named place or file is of one."""
    found = source.settings.targets
    if source.configured:
        return found
    if request.place != "project":
        return ("claude-md",)
    return found[:1] if request.file or request.printed else found


def _elsewhere(source: DigestSource, planned: Sequence[TargetPlan]) -> dict[str, str]:
    """Return by memory id which file of the project tells it: those planned, else those there."""
    there = {one.target: one for one in planned}
    for name in source.settings.targets:
        exporter = EXPORTERS.get(name)
        if exporter and name not in there and not exporter.personal:
            other = plan_target(source, name, ExportRequest(targets=source.settings.targets))
            if any(has_block((change.before or b"").decode()) for change in other.changes):
                there[name] = other
    read = (one for name, one in there.items() if name in _READ_BY_CLAUDE)
    return {item.memory.id: one.target for one in read for item in one.digest.selection.items}


def plan_target(
    source: DigestSource,
    target: str,
    request: ExportRequest,
    elsewhere: Mapping[str, str] | None = None,
) -> TargetPlan:
    """Return what one target of a request says and which files it changes.

    `elsewhere` names by memory id the target that tells it to the same reader.
    Raises ExportError as `plan` does.
    """
    exporter = find_exporter(target)
    place = request.place if target == "claude-md" else "project"
    if place not in PLACES:
        raise ExportError(f"{place!r} is not a place; choose from: {', '.join(PLACES)}")
    folder = source.home if exporter.personal else source.folder_for(place)
    asked = _digest_request(source, exporter, request, place, elsewhere or {})
    made = digest_for(source, exporter, asked)
    if request.file is not None and len(made.outputs) > 1:
        raise ExportError(f"{target} writes several files; export it without --file")
    outputs = tuple(
        replace(one, path=_path_of(source, target, request, place, one)) for one in made.outputs
    )
    if request.printed:
        return TargetPlan(target, made, outputs, ())
    if target == "claude-md" and place != "user":
        shared = "agents-md" in request.targets
        outputs = tuple((with_import if shared else beginning)(folder, one) for one in outputs)
    personal = (place == "user" or exporter.personal) and not request.file
    changes = [change_for(folder, one, force=request.force, personal=personal) for one in outputs]
    if request.file is None:
        named = {one.path for one in changes}
        ours = replace(exporter, owned=_in_home(source, exporter.owned))
        changes += stale_files(folder, ours, named, force=request.force)
    return TargetPlan(target, made, outputs, tuple(changes), place)


def _digest_request(
    source: DigestSource,
    exporter: Exporter,
    request: ExportRequest,
    place: str,
    elsewhere: Mapping[str, str],
) -> DigestRequest:
    folder, target = source.folder_for(place), exporter.name
    file = request.file or (folder / source.settings.file if target == "claude-md" else None)
    at_home = place == "user"  # only what holds everywhere, and what git does not contradict
    approvals = source.approvals() if at_home or exporter.personal else {}
    beside = {} if at_home else elsewhere_of(target, request.targets, source.memories)
    project = "" if at_home else source.project or folder.name
    return DigestRequest(
        folder=folder if request.file is None else request.file.absolute().parent,
        project=request.project if request.project is not None else project,
        budget=request.max_tokens or source.budget_for(target),
        elsewhere={**beside, **elsewhere},
        files=(file.absolute(),) if file and place == "project" else (),
        barred={key: one.words for key, one in approvals.items() if one.differs},
    )


def _in_home(source: DigestSource, path: str) -> str:
    """Return a path of a personal target: the client names the folder in its own way."""
    return path.replace("{project}", mapped_name(str(source.folder.resolve())))


def _path_of(
    source: DigestSource, target: str, request: ExportRequest, place: str, output: Output
) -> str:
    if request.file is not None:
        return str(request.file.absolute())
    if target != "claude-md":
        return _in_home(source, output.path)
    return source.settings.file if place == "project" else PLACES[place]


def _without_repeated_files(planned: Sequence[TargetPlan]) -> tuple[list[TargetPlan], list[str]]:
    """Return the targets, no file in two of them: CLAUDE.md may be a link to AGENTS.md."""
    seen: set[Path] = set()
    targets, notes = [], []
    for one in planned:
        notes += [
            f"{change.path} is the file of another target too; written once"
            for change in one.changes
            if change.path in seen
        ]
        kept = tuple(change for change in one.changes if change.path not in seen)
        seen |= {change.path for change in kept}
        targets.append(replace(one, changes=kept))
    return targets, notes


def _notes(folder: Path, targets: Sequence[TargetPlan]) -> list[str]:
    """Return what a person should know of the files beside those that were asked for."""
    notes = dict.fromkeys(_opposite(*pair) for one in targets for pair in one.digest.opposites)
    agents = any(one.target == "agents-md" and one.digest.selection.items for one in targets)
    claude = any(one.target == "claude-md" for one in targets)
    if agents and not claude and agents_md_is_unread(folder):
        notes[
            "Claude Code reads CLAUDE.md and so not AGENTS.md: put the line @AGENTS.md "
            "into it, or export claude-md too"
        ] = None
    return list(notes)


def _opposite(memory: Memory, match: HandwrittenMatch) -> str:
    words = f": {match.words}" if match.words else ""
    return f"memory {memory.id[:8]} says the opposite of {match.place}{words}"
