"""The learnings index: one row for each thing that was learnt, under its category."""

import re
from datetime import UTC, datetime
from pathlib import Path

from calmkb.system.files import disk_told, write_atomically

_ROW = re.compile(r"- \[(LRN-(\d{8})-(\d{4,}))\] (.*)")
_HEAD = "# Learnings\n"
UNCATEGORIZED = "Uncategorized"


def add_learning(path: Path, category: str, content: str, target: str, now: datetime) -> str:
    """Return the id of the row that says this, added under its category where none does.

    For the holder of the signal store's lock. Raises StoreError where the disk refuses.
    """
    with disk_told(f"read {path}"):
        text = path.read_bytes().decode(errors="surrogateescape") if path.exists() else _HEAD
    line = f"{content} (promoted to {target})"
    rows = [found for line in text.split("\n") if (found := _ROW.fullmatch(line.rstrip()))]
    for known in rows:
        if known[4] == line:
            return known[1]
    day = f"{now.astimezone(UTC):%Y%m%d}"
    number = max([0, *(int(each[3]) for each in rows if each[2] == day)]) + 1
    learning = f"LRN-{day}-{number:04}"
    heading = " ".join(category.split()) or UNCATEGORIZED
    text = _below(text, f"## {heading}", f"- [{learning}] {line}")
    write_atomically(path, text.encode(errors="surrogateescape"), mode=0o600)
    return learning


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
