"""Invented sessions of a shop's team, for the tests."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PORT = "Start the database container before the end-to-end tests; without it they hang."
MONEY = "Write amounts as integers of cents; floats lose a cent in the export."
MONEY_AGAIN = "Amounts are integers of cents, because floats lose a cent in every export."


def session(folder: Path, name: str, day: int, *turns: dict[str, Any]) -> None:
    """Write a transcript in which these turns follow one another on a day of March."""
    folder.mkdir(parents=True, exist_ok=True)
    common = {"sessionId": name, "cwd": "/home/ada/shop", "isSidechain": False}
    rows(
        folder / f"{name}.jsonl",
        *(
            {"uuid": str(number), "timestamp": f"2026-03-{day:02}T09:{number:02}:00Z",
             **common, **turn}
            for number, turn in enumerate(turns)
        ),
    )  # fmt: skip


def person(words: str) -> dict[str, Any]:
    """Return what a person typed."""
    return {"type": "user", "message": {"role": "user", "content": words}}


def agent(words: str) -> dict[str, Any]:
    """Return what the agent answered."""
    return {"type": "assistant", "message": {"role": "assistant", "content": [
        {"type": "text", "text": words}]}}  # fmt: skip


def ran(command: str, number: int, error: str = "") -> Sequence[dict[str, Any]]:
    """Return a call of a command and its result: an error, or all well."""
    call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": error or "ok",
              "is_error": bool(error)}  # fmt: skip
    return (
        {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
        {"type": "user", "message": {"role": "user", "content": [result]}},
    )


def wrap_up(file: str, *learnings: str, friction: Sequence[str] = ()) -> dict[str, Any]:
    """Return a row of wrapups.jsonl."""
    return {"file": file, "summary": "Worked on the shop.", "friction_points": list(friction),
            "next_steps": [], "learnings": list(learnings)}  # fmt: skip


def rows(path: Path, *objects: object) -> None:
    """Write JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(one)}\n" for one in objects), encoding="utf-8")
