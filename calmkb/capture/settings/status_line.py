"""calmkb's status line in a settings text, in front of the one that a person has already."""

import re
from typing import Any

from calmkb.capture.settings.hooks import OUR_PROGRAM
from calmkb.capture.settings.json_spans import Span, append, remove, scan
from calmkb.capture.settings.patch import read_settings
from calmkb.errors import CalmError

_KEY = "statusLine"
_OURS = re.compile(rf"{OUR_PROGRAM} statusline(?: --with '(?P<theirs>.*)')?", re.DOTALL)
# Quotes inside the shell's quotes, done on the JSON text itself, so that the way back
# finds every escape as its writer chose it: a quote is `'` or `\\u0027`.
_QUOTE = re.compile(r"(\\u0027|')|\\.", re.DOTALL)
_QUOTED = re.compile(r"'\\\\('|\\u0027)'")


def has_status(settings: dict[str, Any]) -> bool:
    """Return whether the status line is calmkb's."""
    line = settings.get(_KEY)
    command = line.get("command") if isinstance(line, dict) else None
    return isinstance(command, str) and _OURS.fullmatch(command) is not None


def status_on(text: str, program: str, place: str) -> str:
    """Return the settings with calmkb's status line, which runs the old one too."""
    settings = read_settings(text, place)
    if has_status(settings):
        return text
    ours = f"{program} statusline"
    text = text if text.strip() else "{}\n"
    if _KEY not in settings:
        return append(text, scan(text), _KEY, {"type": "command", "command": ours})
    span = _command(text)
    if span is None:
        raise CalmError(f"{place}: {_KEY} has no command; fix it by hand first")
    theirs = _QUOTE.sub(_quoted, text[span.start + 1 : span.end - 1])
    return f"{text[: span.start + 1]}{_as_json(ours)} --with '{theirs}'{text[span.end - 1 :]}"


def _quoted(found: re.Match[str]) -> str:
    return rf"'\\{found[1]}'" if found[1] else found[0]


def _as_json(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def status_off(text: str, place: str) -> str:
    """Return the settings with the status line that a person had before."""
    if not has_status(read_settings(text, place)):
        return text
    span = _command(text)
    theirs = span and re.search(r" statusline --with '(.*)'\Z", _body(text, span), re.DOTALL)
    if span and theirs:
        raw = _QUOTED.sub(r"\1", theirs[1])
        return text[: span.start + 1] + raw + text[span.end - 1 :]
    root = scan(text)
    member = root.find(_KEY)
    return remove(text, (root,), root.members.index(member)) if member else text


def _command(text: str) -> Span | None:
    """Return where the command of the status line is, quotes included."""
    line = scan(text).find(_KEY)
    command = line.value.find("command") if line else None
    if command is None or text[command.value.start] != '"':
        return None
    return command.value


def _body(text: str, span: Span) -> str:
    return text[span.start + 1 : span.end - 1]
