"""What a review was about to write, recorded first, in case it is killed."""

from collections.abc import Iterable
from dataclasses import dataclass

from calmkb.kb.base.environment import Environment
from calmkb.kb.signals.files import words_in
from calmkb.kb.signals.places import placed
from calmkb.model import Signal
from calmkb.reflect.signals.improvements import holds


@dataclass(frozen=True, slots=True)
class UnfinishedWrite:
    """A line for a file, and the signals that it promotes, the leading one first."""

    path: str
    line: str
    signals: tuple[str, ...]

    def note(self) -> dict[str, object]:
        """Return it as the leading signal keeps it."""
        return {"writing": {"path": self.path, "line": self.line, "signals": list(self.signals)}}


def unfinished_writes(
    captured: Iterable[Signal], environment: Environment
) -> list[UnfinishedWrite]:
    """Return the writes that captured signals record and whose line is in its file."""
    noted = (_noted(signal) for signal in captured)
    return [one for one in noted if one and _is_in_file(one, environment)]


def _noted(signal: Signal) -> UnfinishedWrite | None:
    note = signal.meta.get("writing")
    if not isinstance(note, dict):
        return None
    path, line, signals = (note.get(name) for name in ("path", "line", "signals"))
    if not (isinstance(path, str) and isinstance(line, str) and isinstance(signals, list)):
        return None
    others = [name for name in signals if isinstance(name, str) and name != signal.id]
    return UnfinishedWrite(path, line, (signal.id, *others))


def _is_in_file(one: UnfinishedWrite, environment: Environment) -> bool:
    text = words_in(placed(one.path, environment))
    return holds(text, one.line) or f"- {one.line}" in (line.rstrip() for line in text.split("\n"))
