"""At the start of a session: the digests updated, where memories have changed."""

import contextlib
import hashlib
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import calmkb
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.local.notices import EXPORTS, note
from calmkb.system.files import read_json, write_atomically

FLAG = "--export"
SETTING = "CALMKB_EXPORT"
"""Set to 1 in the environment of the client, it does what the flag does: for the plugin."""
_NOTE = "exported.json"
_OURS = (b"calmkb:begin", b'"generator": "calmkb"')
_FOLDERS = ("memories", "feedback")
_FILE = re.compile(r"(?:cannot read )?(.+?)(?::\d+)?(?:: | (?:exists|is|was|holds|would) )")


def refresh_digests(kb: KnowledgeBase, project: str) -> tuple[Path, ...]:
    """Bring the configured digests of `project` up to date; return the files that changed.

    Where nothing was committed since it costs a look at three files, where no memory was, one at
    the memories more. A target that has no file yet is left alone. A file that may not be written,
    such as one edited by hand, leaves all as they are, and is noted for the status line.
    """
    repository = kb.repository_if_any if kb.journal.is_dir() else None
    tip = repository.tip("HEAD") if repository else None
    if repository is None or tip is None:
        return ()
    place = repository.git_dir / "calmkb" / _NOTE
    known, folder, settings = _read(place), str(kb.agent_folder), _settings(kb)
    seen = known.get(folder, {})
    if (seen.get("commit"), seen.get("settings")) == (tip, settings):
        return ()
    state = _state(kb)
    written: tuple[Path, ...] = ()
    if (seen.get("state"), seen.get("settings")) != (state, settings):
        written = _exported(kb, project)
    rows = known | {folder: {"commit": tip, "state": state, "settings": settings}}
    text = json.dumps(rows, ensure_ascii=False, indent=1, sort_keys=True)
    write_atomically(place, text.encode(errors="replace"), durable=False)
    return written


def _exported(kb: KnowledgeBase, project: str) -> tuple[Path, ...]:
    """Write what is out of date; a CalmError is noted for the status line."""
    from calmkb.kb.export.export import ExportRequest, open_source, plan, write

    try:
        made = plan(open_source(kb), ExportRequest())
        known = [one for one in made.targets if any(_is_ours(c.before) for c in one.changes)]
        targets = []
        for one in known:  # a person's file may not change
            ours = (c for c in one.changes if c.before is None or _is_ours(c.before))
            targets.append(replace(one, changes=tuple(ours)))
        kept = replace(made, targets=tuple(targets))
        write(kb, kept)
    except CalmError as error:
        note(kb.environment.state, EXPORTS, project, _short(error))
        raise
    note(kb.environment.state, EXPORTS, project, "")
    return tuple(change.path for change in kept.changes)


def _is_ours(before: bytes | None) -> bool:
    return before is not None and any(mark in before for mark in _OURS)


def _short(error: CalmError) -> str:
    """Return the fault in a few words, for the status line."""
    text = str(error)
    found = _FILE.match(text)
    name = Path(found[1]).name if found else "a file"
    if "edited by hand" in text:
        return f"{name} was edited by hand"
    return f"{name}: see calmkb export --check"


def _settings(kb: KnowledgeBase) -> str:
    """Return what a digest depends on beside the records: the settings and the version."""
    bound = f"{kb.config!r}\0{calmkb.__version__}"
    return hashlib.sha256(bound.encode(errors="replace")).hexdigest()[:16]


def _state(kb: KnowledgeBase) -> str:
    """Return what differs when a record that a digest is made of is written, edited or removed."""
    found = []
    for name in _FOLDERS:
        for base, folders, names in os.walk(kb.journal / name):
            folders.sort()
            for one in sorted(names):
                with contextlib.suppress(OSError):
                    seen = os.stat(f"{base}/{one}")  # noqa: PTH116 - thousands of them
                    found.append(f"{base}/{one}\0{seen.st_mtime_ns}\0{seen.st_size}")
    return hashlib.sha256("\n".join(found).encode(errors="surrogateescape")).hexdigest()[:16]


def _read(place: Path) -> dict[str, dict[str, str]]:
    found = read_json(place)
    rows = found.items() if isinstance(found, dict) else ()
    return {key: row for key, row in rows if isinstance(row, dict)}
