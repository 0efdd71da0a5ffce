"""What a review was about to write, noted first, so that one that is killed is understood."""

from collections.abc import Iterable
from dataclasses import dataclass

from calmkb.kb.base.knowledge_base import Environment
from calmkb.kb.signals.files import words_in
from calmkb.kb.signals.places import placed
from calmkb.model import Signal
from calmkb.reflect.signals.improvements import holds


@dataclass(frozen=True, slots=True)
class Begun:
    """A line for a file, and the signals that it settles, the one that speaks for them first."""

    path: str
    line: str
    signals: tuple[str, ...]

    def note(self) -> dict[str, object]:
        """Return it as the leading signal keeps it."""
        return {"writing": {"path": self.path, "line": self.line, "signals": list(self.signals)}}


def begun(captured: Iterable[Signal], environment: Environment) -> list[Begun]:
    """Return what captured signals say was begun, and whose line is in its file."""
    noted = (_noted(signal) for signal in captured)
    return [one for one in noted if one and _stands(one, environment)]


def _noted(signal: Signal) -> Begun | None:
    note = signal.meta.get("writing")
    if not isinstance(note, dict):
        return None
    path, line, signals = (note.get(name) for name in ("path", "line", "signals"))
    if not (isinstance(path, str) and isinstance(line, str) and isinstance(signals, list)):
        return None
    others = [name for name in signals if isinstance(name, str) and name != signal.id]
    return Begun(path, line, (signal.id, *others))


def _stands(one: Begun, environment: Environment) -> bool:
    text = words_in(placed(one.path, environment))
    return holds(text, one.line) or f"- {one.line}" in (line.rstrip() for line in text.split("\n"))
