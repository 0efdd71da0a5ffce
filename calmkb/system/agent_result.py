"""What a program of the user's answered: its text, alone or inside Claude Code's result object."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calmkb.model.words import short_line
from calmkb.system.run_program import run_program

_FORTUNE = 1_000_000
_OBJECTS = 200


@dataclass(frozen=True, slots=True)
class AgentResult:
    """The text that the model gave, its cost if told, and what went wrong; `ran` if it started."""

    text: str
    dollars: float | None = None
    fault: str = ""
    ran: bool = True


def ask_program(
    command: Sequence[str], question: str, *, env: Mapping[str, str], seconds: float
) -> AgentResult:
    """Return what a program answers to a question on its standard input; raises nothing.

    It runs in a folder of its own, where there is no CLAUDE.md and no project to read.
    """
    with tempfile.TemporaryDirectory(prefix="calmkb-") as folder:
        ended = run_program(command, question, cwd=Path(folder), env=env, seconds=seconds)
    result = unwrap(ended.output)
    fault = ended.fault
    if not fault and ended.code:
        words = " ".join((ended.complaint or result.fault or result.text).split())[-200:]
        fault = f"it ended with code {ended.code}" + (f": {words}" if words else "")
    if not fault and not ended.output.strip():
        fault = "it printed nothing"
    return replace(result, fault=fault or result.fault, ran=ended.code is not None)


def unwrap(output: str) -> AgentResult:
    """Return the result in what a program printed; output of any other form is its text."""
    try:
        whole = json.loads(output)
    except (ValueError, RecursionError):
        return AgentResult(output)
    if not isinstance(whole, dict) or not isinstance(whole.get("result"), str):
        return AgentResult(output)
    cost = whole.get("total_cost_usd")
    has_cost = isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < _FORTUNE
    dollars, text = float(str(cost)) if has_cost else None, whole["result"]
    if whole.get("is_error") is True:
        return AgentResult("", dollars, f"the program reported an error: {short_line(text, 60)}")
    return AgentResult(text, dollars)


def json_objects(text: str, key: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in `text` that have `key`: in prose, a fence, a cut-off array too.

    One without it is looked into. A text of many braces is not read to its end.
    """
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = {}, at + 1
        if key in value:
            yield value
        at = end if key in value else at + 1
