"""Patterns by which `grep -E` sees in a client's JSON that no check can fire.

They may let too much through, never too little: what passes is looked at by the checks themselves.
"""

import json
import re
from collections.abc import Iterable, Iterator

from calmkb.wings.proof.enforce.checks import Check
from calmkb.wings.proof.shell_lines import has_short_form, program_and_arguments

# What may be on either side of a program's name. In JSON a line feed is the two signs `\n`.
_LEFT, _RIGHT = r"(^|[^[:alnum:]_-]|:-|\\[nrt])", r"([^[:alnum:]_-]|$)"
# A command with a word in pieces: quotes (in JSON `\"`), backslashes (`\\`) or variables are in it.
_QUOTED = r"(\\[\"][[:alnum:]$]*\\[\"]|'[[:alnum:]]*')"
_IN_PIECES = (
    rf'"command": ?".*([[:alnum:]-]({_QUOTED}|\\\\(\\n)?[[:alnum:]]|[$])'
    rf"|({_QUOTED}|[$]\{{[[:alnum:]_]+\}})[[:alnum:]])"
)
_WILD = re.compile(r"[*?]+")


def patterns(checks: Iterable[Check]) -> tuple[str, ...]:
    """Return an extended regular expression for each check, sorted, each once."""
    return tuple(sorted({one for check in checks for one in _patterns(check)}))


def _patterns(check: Check) -> Iterator[str]:
    if check.at_stop:  # another hook asks
        return
    if check.first or check.kind in ("run", "say", "begin"):
        run = "git commit" if check.kind in ("say", "begin") else check.what
        arguments, _ = program_and_arguments(run.partition(" without ")[0].split())
        seen = arguments[0 if has_short_form(arguments) else -1]
        yield f"{_LEFT}{literal(seen)}{_RIGHT}"
        yield _IN_PIECES
    elif check.kind in ("write", "name", "reason"):
        yield literal(json.dumps(check.what, ensure_ascii=False)[1:-1])
    else:
        yield literal(longest_part(check.what)) or "."


def longest_part(glob: str) -> str:
    """Return the longest piece of a glob without wildcards; "" where there is none."""
    parts = [part for part in _WILD.split(glob) if part.strip("./")]
    return max(parts, key=len, default="")


def literal(text: str) -> str:
    """Return the extended regular expression of a text."""
    return (
        re.sub(r"([][\\.*^$+?(){}|/-])", r"[\1]", text).replace("[\\]", r"\\").replace("[^]", r"\^")
    )
