"""Cursor's agent transcripts: `{role, message: {content}}` a line, without times and folders."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from calmkb.capture.formats.base import History, JsonObject, TranscriptFormat
from calmkb.capture.formats.cleaning import clean, clip_middle
from calmkb.capture.formats.fields import blocks_of, call_turn, name_of, object_of, text_of
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn

_SPOKEN = ("user", "assistant")
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*(?:</user_query>|\Z)", re.DOTALL)
_BLOCK = re.compile(r"\s*<[a-z_]+>")
_UNMAPPED = re.compile(r"[^A-Za-z0-9]+")
_TOOLS = {"Shell": "shell", "run_terminal_cmd": "shell", "StrReplace": "Edit"}
_LOOKED_AT = 5_000  # folders that are looked at to find the one that a name means


@dataclass(frozen=True, slots=True)
class _Sessions(History):
    """Sessions lie below the folder of their project, beside other things of the editor."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the files below folders called `agent-transcripts`."""
        return (path for path in super(_Sessions, self).files(folder)
                if "agent-transcripts" in path.parts)  # fmt: skip


class Cursor(TranscriptFormat):
    """Reads `~/.cursor/projects/NAME/agent-transcripts/ID/ID.jsonl`."""

    name = "cursor"
    history = _Sessions("cursor", lambda home, env: home / ".cursor" / "projects", "*.jsonl")

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by a message beside its role, and no type: other clients write one."""
        return any(
            thing.get("role") in _SPOKEN
            and isinstance(thing.get("message"), dict)
            and "type" not in thing
            for thing in objects
        )

    def read(self, path: Path) -> Transcript:
        """Read the file line by line; it ended when it was last written to."""
        turns: list[Turn] = []
        left = LeftOut()
        for number, thing in read_objects(path, left):
            turns += _turns(thing, Turn(role="system", text="", line=number))
        ended = datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(microsecond=0)
        return Transcript(
            turns=tuple(turns), session_id=path.stem, working_directory=_folder(path),
            agent=self.name, **left.fields([ended]) | {"started_at": None},
        )  # fmt: skip


FORMAT = Cursor()


def _turns(thing: dict[str, Any], base: Turn) -> Iterator[Turn]:
    for block in blocks_of(object_of(thing.get("message")).get("content")):
        kind = block.get("type")
        if kind == "text" and thing.get("role") == "user":
            yield from _turns_of(text_of(block.get("text")), base)
        elif kind == "text" and (text := clean(text_of(block.get("text")))):
            yield replace(base, role="agent", text=clip_middle(text, 4))
        elif kind == "tool_use":
            yield _call(block, base)


def _turns_of(words: str, base: Turn) -> Iterator[Turn]:
    """Yield what the person asked: the client puts files and rules around it."""
    found = _QUERY.search(words)
    own = found[1] if found else ("" if _BLOCK.match(words) else words)
    if text := clip_middle(clean(own), 4):
        yield replace(base, role="person", text=text)


def _call(block: dict[str, Any], base: Turn) -> Turn:
    given, name = object_of(block.get("input")), name_of(block.get("name"))
    return call_turn(base, _TOOLS.get(name, name), text_of(block.get("id")), given)


def _folder(path: Path) -> str:
    """Return the folder whose name, every sign but letters and digits a dash, the project has."""
    parts = path.parts
    place = parts.index("agent-transcripts") if "agent-transcripts" in parts else 0
    if not place:
        return ""
    looked = iter(range(_LOOKED_AT))
    found = _below(Path(path.anchor), parts[place - 1].strip("-"), looked)
    return str(found) if found else ""


def _below(folder: Path, name: str, looked: Iterator[int]) -> Path | None:
    """Return the folder below that `name` means; the name alone may mean several."""
    try:
        children = sorted(one for one in folder.iterdir() if one.is_dir())
    except OSError:
        return None
    for child in children:
        if next(looked, None) is None:
            return None
        mapped = _UNMAPPED.sub("-", child.name).strip("-")
        if mapped and name == mapped:
            return child
        rest = name.removeprefix(f"{mapped}-") if mapped else name
        if rest != name and (found := _below(child, rest, looked)):
            return found
    return None
