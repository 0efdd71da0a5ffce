"""Notes that Codex, Gemini CLI and Copilot keep of a project by themselves, in Markdown.

Formats as read in the clients' own sources in November 2026: Codex's `MEMORY.md` by the prompt
that writes it, Gemini CLI's project memory and the section of its `save_memory` tool, the files of
the memory tool in VS Code.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

from calmkb.capture.formats.cleaning import clean
from calmkb.capture.formats.gemini import noted_folder
from calmkb.capture.history.notes import Note, modified, read_text
from calmkb.model import with_why

_GROUP = re.compile(r"^# Task Group:[^\n]*\n", re.MULTILINE)
_FOLDER = re.compile(r"^applies_to:.*?\bcwd=([^;\n]+)", re.MULTILINE)
_THREAD = re.compile(r"\bthread_id=([\w-]+)")
_SECTION = re.compile(r"^#{1,3} +(.+?) *$", re.MULTILINE)
_ITEM = re.compile(r"^[-*] +(.+(?:\n[ \t]+\S.*)*)$", re.MULTILINE)
_TASKS = re.compile(r"\s*\[Task \d+(?:[,;] *(?:Task )?\d+)*\]")
_ARROW = re.compile(r"\s*(?:->|→|=>)\s*")
_PARTS = re.compile(
    r"(?i)symptom:\s*(?P<symptom>.+?)[.;,]?\s*(?:(?:->|→)\s*)?"
    r"(?:cause:\s*(?P<cause>.+?)[.;,]?\s*(?:(?:->|→)\s*)?)?(?:fix|pivot):\s*(?P<fix>.+)"
)
_CODEX = {
    "user preferences": "preference",
    "reusable knowledge": "fact",
    "failures and how to do differently": "error",
}
_SAVED = "gemini added memories"
_LEAST = 15  # characters of an item that can say something


def read_codex(path: Path) -> list[Note]:
    """Return the items of Codex's MEMORY.md, a note for each group and kind.

    `folder` is where the group's tasks were done, `session` the first thread that it names.
    """
    text, at = read_text(path), modified(path)
    notes = []
    for group in _GROUP.split(text)[1:]:
        folder = (
            found[1].split(" or ")[0].strip(" `\"'") if (found := _FOLDER.search(group)) else ""
        )
        session = thread[1] if (thread := _THREAD.search(group)) else ""
        for name, body in _sections(group):
            if (kind := _CODEX.get(name)) and (texts := tuple(map(_codex_item, _items(body)))):
                notes.append(Note(texts, at, category=kind, folder=folder, session=session))
    return notes


def _codex_item(item: str) -> str:
    """Return an item as a learning with its reason: the fix first, what led to it after."""
    bare = _TASKS.sub("", item).strip()
    if found := _PARTS.search(bare):
        rule = f"{found['symptom'].strip()}: {found['fix'].strip()}"
        return with_why(rule, found["cause"] or "")
    *before, rule = _ARROW.split(bare)
    return with_why(rule, " → ".join(before)) if before and len(rule) >= _LEAST else bare


def read_gemini(path: Path) -> list[Note]:
    """Return the items of a project's memory, or of the section that `save_memory` writes."""
    text = read_text(path)
    if path.name == "GEMINI.md" and path.parent.name == ".gemini":
        text, folder = "\n".join(body for name, body in _sections(text) if name == _SAVED), ""
    else:
        folder = noted_folder(path)
    texts = tuple(_items(text))
    return [Note(texts, modified(path), folder=folder)] if texts else []


def read_copilot(path: Path) -> list[Note]:
    """Return the items of a file of a repository's memory, or all of it where it has none."""
    text = read_text(path)
    texts = tuple(_items(text)) or tuple(filter(None, [_SECTION.sub("", text).strip()]))
    return [Note(texts, modified(path), folder=_workspace(path))] if texts else []


def _sections(text: str) -> Iterator[tuple[str, str]]:
    parts = _SECTION.split(text)
    return zip((name.casefold() for name in parts[1::2]), parts[2::2], strict=True)


def _items(text: str) -> Iterator[str]:
    for item in _ITEM.findall(text):
        if len(words := " ".join(clean(item).split())) >= _LEAST:
            yield words


def _workspace(path: Path) -> str:
    """Return the folder of a workspace of VS Code; "" for one of several folders."""
    for folder in path.parents:
        try:
            named = json.loads((folder / "workspace.json").read_text(encoding="utf-8"))["folder"]
            return unquote(urlparse(str(named)).path)
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            continue
    return ""
