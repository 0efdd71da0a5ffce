"""What waits for a person: rows of one link and, where one acts from a terminal, one command."""

from collections.abc import Iterator
from dataclasses import dataclass

from calmkb.model.words import counted
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction

WAITING, DOUBTS = "sessions/waiting/index.md", "memories/review/index.md"
NEXT = "next/index.md"


@dataclass(frozen=True, slots=True)
class Task:
    """What waits, where it is listed, and the command that acts on it, if there is one."""

    words: str
    uri: str = ""
    command: str = ""


def to_do(catalogue: Catalogue, friction: Friction) -> list[Task]:
    """Return what waits for a person, what cannot wait first; nothing where nothing does."""
    return list(_tasks(catalogue, friction))


def _tasks(catalogue: Catalogue, friction: Friction) -> Iterator[Task]:
    if problems := len(catalogue.source.problems):
        yield Task(f"{counted(problems, 'file')} could not be read", "problems.md", "calmkb check")
    back = sum(friction.state(theme) == "came back" for theme in friction.recurring)
    if back:
        words = f"{counted(back, 'trouble')} came back after a memory"
        yield Task(words, "friction.md")
    if proposed := catalogue.source.proposed:
        words = f"{counted(proposed, 'memory', 'memories')} proposed by agents"
        verb = "waits" if proposed == 1 else "wait"
        yield Task(f"{words} {verb} for a yes or a no", command="calmkb reflect")
    if waiting := len(catalogue.waiting):
        words = counted(waiting, "session waits", "sessions wait")
        yield Task(f"{words} for reflection", WAITING, "calmkb reflect")
    if doubts := len(catalogue.doubts):
        words = f"{counted(doubts, 'memory', 'memories')} to look at again"
        yield Task(words, DOUBTS, "calmkb memory review")
    if steps := len(catalogue.open_steps):
        yield Task(counted(steps, "open next step"), NEXT, "calmkb next")
    if pending := len(catalogue.improvements["pending"]):
        words = f"{counted(pending, 'improvement')} agreed on and not made"
        yield Task(words, "improvements.md", "calmkb improvements list")
