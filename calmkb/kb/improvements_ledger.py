"""Which improvements this machine has seen in which file: only what was there can be taken out."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.kb.base import World
from calmkb.kb.learning_places import shown
from calmkb.store.files import write_atomically
from calmkb.store.git import find_repository

NAME = "improvements.json"


@dataclass(frozen=True, slots=True)
class Seen:
    """The ids that stood in a file when it was last in step, and the branch it was on."""

    branch: str = ""
    ids: frozenset[str] = field(default_factory=frozenset)


def branch_of(folder: Path) -> str:
    """Return the branch that is checked out around `folder`, "" where there is none."""
    repository = find_repository(folder)
    return (repository.attached_branch() or "") if repository else ""


def seen_in(world: World, path: Path) -> Seen:
    """Return what was seen in the file at `path`; nothing where the note is missing or broken."""
    row = _read(world).get(shown(path, world))
    branch, ids = (row.get("branch"), row.get("ids")) if isinstance(row, dict) else ("", [])
    if not isinstance(branch, str) or not isinstance(ids, list):
        return Seen()
    return Seen(branch, frozenset(one for one in ids if isinstance(one, str)))


def note_seen(world: World, path: Path, seen: Seen) -> None:
    """Note what stands in the file at `path` now."""
    if seen == seen_in(world, path):
        return
    rows = _read(world) | {shown(path, world): {"branch": seen.branch, "ids": sorted(seen.ids)}}
    text = json.dumps(rows, ensure_ascii=False, indent=1, sort_keys=True)
    write_atomically(world.state / NAME, text.encode(errors="replace"), mode=0o600)


def _read(world: World) -> dict[str, object]:
    try:
        found = json.loads((world.state / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
