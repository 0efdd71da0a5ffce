"""What a memory speaks of, with the blob of its file at the time of the approval."""

import itertools
import re
from dataclasses import dataclass
from difflib import unified_diff
from typing import Literal

from calmkb.wings.proof.anchors.runners import is_task_file, target_lines
from calmkb.wings.proof.anchors.settings import settings_in
from calmkb.wings.proof.anchors.symbols import definitions

Standing = Literal["held", "changed", "gone"]
_LINE = re.compile(
    r"(?P<value>.+?)(?: in (?P<path>.+))? at (?P<blob>[0-9a-f]{40}(?:[0-9a-f]{24})?)"
)
_SHOWN, _WIDE = 6, 160


@dataclass(frozen=True, slots=True)
class Anchor:
    """A file, a definition or setting in one (`src/pay.ts:refund`), or a target of a task runner.

    `path` is the file that holds it, `blob` the id that git gave to that file when a person
    approved the memory. As a line: `src/pay.ts:refund at BLOB`, `make lint in Makefile at BLOB`.
    """

    value: str
    path: str
    blob: str

    @property
    def line(self) -> str:
        """The anchor as a memory's file has it."""
        place = "" if self.value.partition(":")[0] == self.path else f" in {self.path}"
        return f"{self.value}{place} at {self.blob}"

    @property
    def symbol(self) -> str:
        """The definition that it names, "" for a file or a target."""
        return self.value.partition(":")[2] if self.value != self.path and not self.tool else ""

    @property
    def tool(self) -> str:
        """The task runner, "" for a file or a definition."""
        return self.value.partition(" ")[0] if is_task_file(self.path) and " " in self.value else ""


def parse_anchor(line: str) -> Anchor | None:
    """Return the anchor in a line, None where there is none."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return None
    value = found["value"]
    return Anchor(value, found["path"] or value.partition(":")[0], found["blob"])


def state_since(anchor: Anchor, then: str | None, now: str | None) -> tuple[Standing, str]:
    """Return whether what an anchor names is as it was in its file, and the lines that differ.

    `then` and `now` are texts of the file, None where there is none. A file whose anchor is all of
    it has not changed by an edit: files change every day, and what a memory says of one rarely
    rests on each of its lines. Without the old text a definition that is there has held.
    """
    if now is None:
        return "gone", ""
    if not anchor.symbol and not anchor.tool:
        return "held", ""
    after = part_of(anchor, now)
    if after is None:
        return "gone", ""
    before = part_of(anchor, then) if then is not None else None
    # A formatter changes nothing.
    if before is None or "".join(before.split()) == "".join(after.split()):
        return "held", ""
    return "changed", _difference(before, after)


def part_of(anchor: Anchor, text: str) -> str | None:
    """Return the definition or target that an anchor names in a file's text; None for none."""
    if anchor.tool:
        return target_lines(anchor.path, anchor.value.partition(" ")[2], text)
    if (settings := settings_in(anchor.path, text)) is not None:
        value = settings.get(anchor.symbol)
        return None if value is None else f"{anchor.symbol} = {value}"
    defined = definitions(anchor.path, text)
    if defined is not None:
        return defined.get(anchor.symbol)
    # Of other languages only the word is known.
    word = re.search(rf"(?<!\w){re.escape(anchor.symbol)}(?!\w)", text)
    return anchor.symbol if word else None


def _difference(before: str, after: str) -> str:
    rows = unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    changed = [row for row in rows if row[:1] in "+-" and row[:3] not in ("+++", "---")]
    lines = ("".join(c if c.isprintable() else " " for c in row)[:_WIDE] for row in changed)
    return "\n".join(itertools.islice(lines, _SHOWN))
