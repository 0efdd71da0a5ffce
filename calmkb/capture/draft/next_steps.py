"""What the session left open: the agent's own task list, or the list that closes its last words."""

import re
from collections.abc import Sequence

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Turn

STEP_LIMIT = 200
STEPS = 10

_DONE = frozenset({"completed", "done", "cancelled", "deleted"})
_HEADING = re.compile(
    r"^[#*_\s]*(?:(?:suggested |remaining |possible )?next steps?|(?:still )?(?:to ?do"
    r"|left to do|open|remaining"
    r"(?: work| items| tasks)?)|follow[- ]?ups?|what(?:'s| is) (?:left|next))\b[^\n]{0,40}$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[ \]\s*)?(\S.*)$")
_TICKED = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[[xX]\]|✅|✓)")


def next_steps(turns: Sequence[Turn]) -> list[str]:
    """Return the open items, without repeats, in their own order."""
    main = [turn for turn in turns if not turn.is_sidechain]
    steps = _open_plan(main) or _closing_list(main)
    return list(dict.fromkeys(clip(one_line(step), STEP_LIMIT) for step in steps))[:STEPS]


def _open_plan(turns: Sequence[Turn]) -> list[str]:
    plans = [turn.plan for turn in turns if turn.plan is not None]
    if not plans:
        return []
    return [item.text for item in plans[-1] if item.status not in _DONE]


def _closing_list(turns: Sequence[Turn]) -> list[str]:
    last = next((turn for turn in reversed(turns) if turn.role == "agent" and not turn.kind), None)
    if last is None:
        return []
    lines = last.text.split("\n")
    for number, line in enumerate(lines):
        if _HEADING.match(line):
            return _items(lines[number + 1 :])
    return []


def _items(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        item = _ITEM.match(line)
        if item and not line.startswith(("    ", "\t")):
            if not _TICKED.match(line):
                found.append(item[1].replace("**", ""))
        elif line.strip() and found and not line.startswith((" ", "\t")):
            break
    return found
