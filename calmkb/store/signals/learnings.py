"""The learnings index: one row for each thing that was learnt, under its category."""

import re
from pathlib import Path

from calmkb.system.files import disk_told, make_private_folder, write_atomically

_ROW = re.compile(r"- \[(LRN-\d{8}-(\d{4,}))\] (.*)")
_HEAD = "# Learnings\n"
_ONE = ("Command", "Convention", "Gotcha", "Preference")
"""Categories of which a review makes headings in the plural."""


def learnings_file(folder: Path) -> Path:
    """Return where the index is."""
    return folder / "learnings" / "LEARNINGS.md"


def add_learning(folder: Path, signal: str, category: str, content: str, target: str) -> str:
    """Return the id of the row that says this, added under its category where none does.

    The id has the number of the `signal`, or the next free one. For the holder of the signal
    store's lock. Raises StoreError where the disk refuses.
    """
    with disk_told(f"read the learnings index in {folder}"):
        path = learnings_file(folder)
        make_private_folder(path.parent)
        text = path.read_bytes().decode(errors="surrogateescape") if path.exists() else _HEAD
    line = f"{content} (promoted to {target})"
    rows = [found for line in text.split("\n") if (found := _ROW.fullmatch(line.rstrip()))]
    for known in rows:
        if known[3] == line:
            return known[1]
    learning = signal.replace("SIG-", "LRN-", 1)
    if any(each[1] == learning for each in rows):
        day = learning.rpartition("-")[0]
        number = max(int(each[2]) for each in rows if each[1].startswith(day)) + 1
        learning = f"{day}-{number:04}"
    text = _below(text, f"## {_heading(category)}", f"- [{learning}] {line}")
    write_atomically(path, text.encode(errors="surrogateescape"), mode=0o600)
    return learning


def _heading(category: str) -> str:
    """Return a category as a review writes it: `command` is under `Commands`."""
    words = " ".join(word[:1].upper() + word[1:] for word in category.split())
    return f"{words}s" if words in _ONE else words or "Uncategorized"


def _below(text: str, heading: str, line: str) -> str:
    """Return `text` with `line` at the end of the section under `heading`, made if need be."""
    lines = text.rstrip("\n").split("\n")
    places = [n for n, each in enumerate(lines) if each.strip().casefold() == heading.casefold()]
    if not places:
        return "\n".join([*lines, "", heading, "", line, ""]).lstrip("\n")
    start = places[0] + 1
    later = (n for n in range(start, len(lines)) if re.match(r"##? ", lines[n]))
    end = next(later, len(lines))
    while end > start and not lines[end - 1].strip():
        end -= 1
    gap = [""] if end == start else []
    return "\n".join([*lines[:end], *gap, line, *lines[end:], ""])
