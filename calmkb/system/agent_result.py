"""What an agent's program printed: its text, alone or inside Claude Code's result object."""

import json
from dataclasses import dataclass

_FORTUNE = 1_000_000


@dataclass(frozen=True, slots=True)
class AgentResult:
    """The text that the model gave, its cost if told, and whether the program says it failed."""

    text: str
    dollars: float | None = None
    failed: bool = False


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
    dollars = float(str(cost)) if has_cost else None
    return AgentResult(whole["result"], dollars, whole.get("is_error") is True)
