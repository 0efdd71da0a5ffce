"""What the session left open: the agent's task list, what its last words name."""

import re
from collections.abc import Iterator, Sequence

from calmkb.capture.draft.person import PersonTurn
from calmkb.capture.draft.quotation import quoted, without_markup
from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Turn

STEP_LIMIT = 200
STEPS = 10
_LAST_ANSWERS = 3

_DONE = frozenset({"completed", "done", "cancelled", "deleted"})
_NAMES = (
    r"(?:(?:suggested |remaining |possible |recommended |immediate )?next steps?"
    r"|(?:still )?(?:to[ -]?do|todos?)|left to do|(?:still )?open(?: questions?| points?| items?)?"
    r"|(?:still )?(?:remaining|pending|outstanding)(?: work| items?| tasks?| issues?| steps?)?"
    r"|follow[- ]?ups?|not (?:yet )?(?:done|implemented|tested|verified|covered)(?: yet)?"
    r"|what(?:'s| is) (?:left|next)|future work|deferred)"
)
_HEADING = re.compile(rf"^[#*_\s]*{_NAMES}\b[^\n]{{0,40}}$", re.IGNORECASE)
_INLINE = re.compile(rf"^[#*_\s-]*{_NAMES}(?:\*\*)?:(?:\*\*)?\s+(\S.{{10,}})$", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[ \]\s*)?(\S.*)$")
_TICKED = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[[xX]\]|✅|✓)")


def next_steps(turns: Sequence[Turn], prompts: Sequence[PersonTurn]) -> list[str]:
    """Return the open items, without repeats, in their own order."""
    main = [turn for turn in turns if not turn.is_sidechain]
    steps = _open_plan(main) or _named(main)
    steps += _unanswered(main, prompts)
    return list(dict.fromkeys(clip(one_line(step), STEP_LIMIT) for step in steps))[:STEPS]


def _open_plan(turns: Sequence[Turn]) -> list[str]:
    plans = [turn.plan for turn in turns if turn.plan is not None]
    if not plans:
        return []
    return [item.text for item in plans[-1] if item.status not in _DONE]


def _named(turns: Sequence[Turn]) -> list[str]:
    """Return what the last answers name as open; a list further up was worked off since."""
    answers = [turn.text for turn in turns if turn.role == "agent" and not turn.kind]
    for text in reversed(answers[-_LAST_ANSWERS:]):
        if found := list(_listed(text)):
            return found
    return []


def _listed(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _INLINE.match(line):
            yield without_markup(line)
        elif _HEADING.match(line):
            yield from _items(lines[number + 1 :])


def _unanswered(turns: Sequence[Turn], prompts: Sequence[PersonTurn]) -> Iterator[str]:
    """Yield a request that nothing came of. The agent's last question is none: it went stale."""
    last = prompts[-1] if prompts else None
    place = next((at for at, turn in enumerate(turns) if last and turn is last.turn), -1)
    spoke = any(turn.role == "agent" for turn in turns[place + 1 :])
    if last and not spoke and not last.is_machine and len(last.turn.text.split()) > 3:
        yield f"Asked and not answered: {quoted(one_line(last.turn.text), STEP_LIMIT - 30)}"


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
