"""The sections of a body: those that a record's fields claim, and the others in order."""

from calmkb.documents import sections
from calmkb.model import Section


class Parts:
    """The sections of a body: those with a known heading by name, the others in order."""

    def __init__(self, known: dict[str, str], others: list[Section]) -> None:
        self._known, self._others = known, others

    def has(self, name: str) -> bool:
        """Return whether the file has the heading."""
        return name in self._known

    def text(self, name: str) -> str:
        """Return a section's text, or nothing."""
        return sections.parse_text(self._known.get(name, ""))

    def items(self, name: str) -> tuple[str, ...]:
        """Return a section's bullets, the blank ones left out."""
        found = sections.parse_items(self._known.get(name, ""))
        return tuple(item for item in found if item.strip())

    def others(self, before: str) -> tuple[Section, ...]:
        """Return the unclaimed sections, and the text before the first heading."""
        loose = sections.parse_text(before)
        return tuple(([Section("Notes", loose)] if loose else []) + self._others)


def split_known(body: str, known: tuple[str, ...]) -> tuple[str, Parts]:
    """Return the text before the first heading, and the sections; `known` in lower case."""
    before, found = sections.split(body)
    named: dict[str, str] = {}
    others = []
    for heading, raw, _ in found:
        name = " ".join(heading.lower().split()).rstrip(" :")
        if name in known and name not in named:
            named[name] = raw
        else:
            others.append(Section(heading, sections.parse_text(raw)))
    return before, Parts(named, others)
