"""Reading transcripts for an import, as a ratio to parsing their JSON; and reading them again."""

import json
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.imports.history_import import import_history
from calmkb.kb.imports.request import ImportRequest
from calmkb.wings.start.verbs.histories import agent_histories
from calmkb.wings.start.verbs.preview import preview

SESSIONS, TURNS, OUTPUT_LINES = 40, 120, 60
A_MINUTE, AGAIN, PAGE = 300, 0.1, 60
START = datetime(2026, 10, 1, tzinfo=UTC)
WORDS = ("checkout", "coupon", "invoice", "the", "test", "of", "fails", "when", "refund", "is",
         "rounded", "please", "fixture", "move", "before", "commit", "lint", "again")  # fmt: skip


def main() -> None:
    """Print what a session takes to read, first and again."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        size = write_history(home / ".claude/projects/-home-dev-shop")
        parsed = timed(lambda: parse_all(home))
        first, again = timed(lambda: dry_run(home)), timed(lambda: dry_run(home))
        looked = timed(lambda: look(home))
    rate = 60 * SESSIONS / first
    missed = [
        "" if rate >= A_MINUTE else " (missed)",
        "" if again / first <= AGAIN else " (missed)",
    ]
    print(f"{SESSIONS} sessions, {size / 1e6:.0f} MB.\n")
    print("| | sessions/min | ratio | goal |\n|---|---|---|---|")
    print(f"| `json.loads` of every line | {60 * SESSIONS / parsed:,.0f} | 1 | |")
    print(f"| a dry run | {rate:,.0f} | {first / parsed:.1f} | ≥ {A_MINUTE}/min{missed[0]} |")
    print(f"| what was read before, against the first time | {60 * SESSIONS / again:,.0f} "
          f"| {again / first:.3f} | ≤ {AGAIN}{missed[1]} |")  # fmt: skip
    seconds = 300 / SESSIONS * looked
    late = "" if seconds <= PAGE else " (missed)"
    print(f"| the page of `calmkb start`: {seconds:.0f} s for 300 | {60 * SESSIONS / looked:,.0f} "
          f"| {looked / parsed:.1f} | ≤ {PAGE} s{late} |")  # fmt: skip


def timed(work: Any) -> float:
    """Return the seconds of the processor that `work` takes: others may use the machine too."""
    start = time.process_time()
    work()
    return time.process_time() - start


def parse_all(home: Path) -> None:
    """Parse every line and keep nothing."""
    for path in home.rglob("*.jsonl"):
        with path.open("rb") as lines:
            for line in lines:
                json.loads(line)


def dry_run(home: Path) -> None:
    """Import, and keep what was read alone."""
    environment = Environment(home=home, cwd=home, env={}, user="dev", host="lap7")
    done = import_history(open_kb(environment), ImportRequest("claude", dry_run=True))
    assert done.added == SESSIONS


def look(home: Path) -> None:
    """Do what `calmkb start` does before its first question."""
    environment = Environment(home=home, cwd=home, env={}, user="dev", host="lap7")
    histories = agent_histories(environment, [])
    found = preview(environment, histories)
    assert len(found.sessions) == SESSIONS


def write_history(folder: Path) -> int:
    """Write sessions of prompts, answers and the long outputs of commands; return the bytes."""
    folder.mkdir(parents=True)
    dice = random.Random(17)
    size = 0
    for number in range(SESSIONS):
        lines = (json.dumps(one) for turn in range(TURNS) for one in turn_of(number, turn, dice))
        size += (folder / f"s-{number:03}.jsonl").write_text("\n".join(lines) + "\n")
    return size


def turn_of(session: int, turn: int, dice: random.Random) -> list[dict[str, Any]]:
    """Return a turn of the agent, every tenth after a prompt: a command and what it printed."""
    at = (START + timedelta(hours=session, seconds=turn)).isoformat()
    base = {"sessionId": f"s-{session:03}", "cwd": "/home/dev/shop", "timestamp": at,
            "isSidechain": False, "userType": "external", "gitBranch": "main"}  # fmt: skip
    said = " ".join(dice.choices(WORDS, k=25))
    output = "\n".join(" ".join(dice.choices(WORDS, k=12)) for _ in range(OUTPUT_LINES))
    call = {"type": "tool_use", "id": f"t-{turn}", "name": "Bash", "input": {"command": "make"}}
    answer = {"type": "tool_result", "tool_use_id": f"t-{turn}", "content": output,
              "is_error": turn % 7 == 0}  # fmt: skip
    found = [message("assistant", [{"type": "text", "text": said}, call]),
             message("user", [answer])]  # fmt: skip
    if turn % 10 == 0:
        found.insert(0, message("user", said))
    return [{**base, "uuid": f"{turn}-{place}", **one} for place, one in enumerate(found)]


def message(role: str, content: Any) -> dict[str, Any]:
    """Return a message's own fields."""
    return {"type": role, "message": {"role": role, "content": content}}


if __name__ == "__main__":
    main()
