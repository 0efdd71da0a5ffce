"""Themes of friction in a journal of 1,000 and of 10,000 sessions.

Every measurement is a process of its own on a knowledge base of the generator's sessions, two
statements a session, in seconds of the processor; to start and to read the records does not count.
`run.py themes SIZE…` takes other sizes.
"""

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator import generate

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.search.friction import friction_themes, session_texts

SIZES = (1_000, 10_000)
GOALS = {1_000: 1.0, 10_000: 8.0}
"""Seconds."""
AFTER_ONE_MORE = 0.5
"""Seconds at 10,000, the goal."""


def main() -> None:
    """Print a table of seconds."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or list(SIZES)
    print("| what | sessions | statements | s | goal, s | themes, recurring |")
    print("|---|---|---|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder) / "kb", size)


def measure(folder: Path, size: int) -> None:
    """Print the rows of one number of sessions."""
    generate(folder, size)
    row("themes", size, child("themes", folder), GOALS.get(size))
    more = child("one-more", folder)
    row("after one more session", size, more, AFTER_ONE_MORE if size == 10_000 else None)


def child(way: str, folder: Path) -> dict[str, Any]:
    """Return what a process of its own reports."""
    command = [sys.executable, __file__, way, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def row(what: str, size: int, found: dict[str, Any], goal: float | None) -> None:
    """Print a row; a goal that is missed is marked."""
    spent = found["seconds"]
    wanted = f"≤ {goal:g}{' (missed)' if spent > goal else ''}" if goal else ""
    shown = f"{found['themes']:,}, {found['recurring']}"
    print(f"| {what} | {size:,} | {found['statements']:,} | {spent:.2f} | {wanted} | {shown} |")


def work(way: str, folder: Path) -> dict[str, Any]:
    """Do one thing in this process; imports and reading are done before the clock starts."""
    kb = open_kb(Environment(home=folder.parent, cwd=folder), option=str(folder))
    contents = read_contents(kb)
    for kept in (folder / ".git" / "calmkb").glob("themes-*"):  # by the process before
        kept.unlink()
    texts = [text for view in contents.sessions for text in view.entry.friction_points]
    warm = contents.sessions[1:] if way == "one-more" else contents.sessions[:50]
    friction_themes(kb, session_texts(kb, warm), replace(contents, memories=(), reflections=()))
    seconds, found = timed(
        lambda: friction_themes(kb, session_texts(kb, contents.sessions), contents)
    )
    return {
        "seconds": seconds,
        "statements": len(texts),
        "themes": len(found),
        "recurring": sum(one.sessions > 1 for one in found),
    }


def timed(todo: Any) -> tuple[float, Any]:
    """Return how many seconds of the processor `todo` took, and what it gave."""
    start = time.process_time()
    found = todo()
    return time.process_time() - start, found


if __name__ == "__main__":
    print(json.dumps(work(sys.argv[1], Path(sys.argv[2]))))
