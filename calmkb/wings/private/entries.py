"""Entries of the private journal as the reference program writes and reads them (v1 and v2)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from calmkb.errors import RecordError

Owner = Literal["project", "user"]
# In the order on disk; `feelings` is from version 1, under its own heading.
HEADINGS: dict[str, str] = {
    "feelings": "Feelings",
    "reflections": "Reflections",
    "observations": "Observations",
    "project_notes": "Project Notes",
    "user_context": "User Context",
    "technical_insights": "Technical Insights",
    "world_knowledge": "World Knowledge",
}
PROJECT_SECTIONS = ("project_notes",)
LIMIT = 10_000_000  # characters of one section: what an agent may write at once
_FRONT = re.compile(r"\A\ufeff?---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_TIMESTAMP = re.compile(r"^timestamp: *(\d+)\s*$", re.MULTILINE)
_HEADING = re.compile(r"^## +(.+?)[ \t]*\r?$", re.MULTILINE)
_NAME = re.compile(r"(\d\d)-(\d\d)-(\d\d)-(\d{3})\d{3}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class PrivateEntry:
    """One file: its path, its journal, when it was written (ms), and its exact text."""

    path: Path
    owner: Owner
    timestamp: int
    text: str

    @property
    def body(self) -> str:
        """The text that the reference embeds: no front matter, headings or extra blank lines."""
        return embedded_text(self.text)

    @property
    def sections(self) -> tuple[str, ...]:
        """The headings, in order."""
        return tuple(_HEADING.findall(_without_front(self.text)))


def embedded_text(text: str) -> str:
    """Return the text of an entry without front matter and headings."""
    body = _without_front(text)
    return re.sub(r"\n{3,}", "\n\n", _HEADING.sub("", body)).strip()


def _without_front(text: str) -> str:
    return _FRONT.sub("", text, count=1).removeprefix("\ufeff")


def split_by_owner(thoughts: Mapping[str, str]) -> dict[Owner, dict[str, str]]:
    """Return the thoughts of each journal, blank ones left out.

    Raises RecordError where nothing is left, or a section is too long.
    """
    written = {key: text for key, text in thoughts.items() if text.strip()}
    if not written:
        raise RecordError("At least one thought category must be provided")
    for key, text in written.items():
        if len(text) > LIMIT:
            raise RecordError(f"{key} has {len(text):,} characters; at most {LIMIT:,} are allowed")
    project = {key: text for key, text in written.items() if key in PROJECT_SECTIONS}
    user = {key: text for key, text in written.items() if key not in PROJECT_SECTIONS}
    parts: dict[Owner, dict[str, str]] = {"project": project, "user": user}
    return {owner: texts for owner, texts in parts.items() if texts}


def render(thoughts: Mapping[str, str], at: datetime) -> str:
    """Return the file of an entry written at `at`, a time with its local offset."""
    milliseconds = int(at.replace(microsecond=0).timestamp()) * 1000 + at.microsecond // 1000
    hour = at.hour % 12 or 12
    shown = f"{hour}:{at:%M:%S} {'AM' if at.hour < 12 else 'PM'} - {_MONTHS[at.month - 1]}"
    utc = at.astimezone(UTC)
    front = [
        "---",
        f'title: "{shown} {at.day}, {at.year}"',
        f"date: {utc:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z",
        f"timestamp: {milliseconds}",
        "---",
    ]
    blocks = [f"## {HEADINGS[key]}\n\n{thoughts[key]}" for key in HEADINGS if key in thoughts]
    return "\n".join(front) + "\n\n" + "\n\n".join(blocks) + "\n"


def entry_path(at: datetime, chance: int) -> str:
    """Return `YYYY-MM-DD/HH-MM-SS-MMMMMM.md` in the time's own zone; `chance` is 0 to 999."""
    last = (at.microsecond // 1000) * 1000 + chance
    return f"{at:%Y-%m-%d}/{at:%H-%M-%S}-{last:06}.md"


def time_of(path: Path, text: str, modified: float) -> int:
    """Return when an entry was written, in ms: its front matter, else its name, else its file."""
    front = _FRONT.match(text)
    stamp = _TIMESTAMP.search(front[1]) if front else None
    if stamp and len(stamp[1]) <= 15:
        return int(stamp[1])
    found = _NAME.fullmatch(path.stem)
    if found and _DAY.fullmatch(path.parent.name):
        try:
            moment = datetime.fromisoformat(
                f"{path.parent.name}T{found[1]}:{found[2]}:{found[3]}.{found[4]}"
            )
            return int(moment.timestamp() * 1000)
        except (ValueError, OverflowError, OSError):
            pass
    return int(modified * 1000)


# strftime's names follow the machine's language; the reference writes English.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
