"""Secrets by where they are laid out: in a table's cell, or on the line below their name."""

import re

from calmkb.redact.rules.names import SECRET_NAME, is_harmless_name
from calmkb.redact.rules.rule import Hits, IsAllowed
from calmkb.redact.rules.values import is_secret_value, looks_random

_RULER = re.compile(r"[ \t]*\|?(?:[ \t]*:?-{1,200}:?[ \t]*\|)+[ \t:-]*\Z")
_DRESS = " \t*`\"'"
_ALONE = re.compile(r"[ \t>-]{0,16}[`\"'*]{0,3}([^\s`\"'*|]{8,2000})[`\"'*]{0,3}[ \t\r]*\Z")
_BLOCK = re.compile(r"(?<=:)[ \t]{1,8}[|>][+-]?\Z")  # of YAML
_ENDS = (":", "\uff1a", "|", ">", "+", "-")  # a colon, or the signs of a block after one
_LINKS = re.compile(r"(?: is| are| below| follows){1,4}\Z")
_NEAR = 2  # lines below its name in which a value may be: one of them may be empty


def hide_table_secrets(text: str, *, is_allowed: IsAllowed, hits: Hits) -> str:
    """Return `text` without the secrets in tables and on lines of their own below a name."""
    if not any(sign in text for sign in ("|", ":\n", ": >", "\n\n", "\uff1a")):
        return text
    lines = text.split("\n")
    columns: tuple[int, ...] = ()
    named_at = -_NEAR - 1
    for number, line in enumerate(lines):
        if line.lstrip()[:1] == "|":
            if number and _RULER.match(line):
                header = lines[number - 1].split("|")
                columns = tuple(n for n, cell in enumerate(header) if _is_name(cell))
            lines[number] = _row(line, columns, is_allowed, hits)
            continue
        columns = ()
        if named_at >= number - _NEAR and line.strip():
            lines[number] = _alone(line, is_allowed, hits)
            named_at = -_NEAR - 1
        if _names_a_secret(line):
            named_at = number
    return "\n".join(lines)


def _row(line: str, columns: tuple[int, ...], is_allowed: IsAllowed, hits: Hits) -> str:
    cells = line.split("|")
    for number, cell in enumerate(cells):
        if number in columns or (number and _is_name(cells[number - 1])):
            cells[number] = _hidden(cell, cell.strip().strip(_DRESS), is_allowed, hits)
    return "|".join(cells)


def _alone(line: str, is_allowed: IsAllowed, hits: Hits) -> str:
    found = _ALONE.match(line)
    return _hidden(line, found[1], is_allowed, hits) if found else line


def _hidden(around: str, value: str, is_allowed: IsAllowed, hits: Hits) -> str:
    if not (is_secret_value(value) and looks_random(value)) or " " in value or is_allowed(value):
        return around
    return around.replace(value, hits.note("laid-out", value))


def _names_a_secret(line: str) -> bool:
    if len(line) > 200 or line.rstrip(" \t*_`")[-1:] not in _ENDS:
        return False
    line = _BLOCK.sub("", line).rstrip(" \t*_`")
    name = _LINKS.sub("", line.rstrip(" \t*_`:\uff1a").rstrip(_DRESS))
    return line[-1:] in _ENDS[:2] and _is_name(name)


def _is_name(text: str) -> bool:
    name = text.strip().strip(_DRESS)
    if not name or len(name) > 200:
        return False
    found = SECRET_NAME.search(name)
    return found is not None and not is_harmless_name(name, found.start())
