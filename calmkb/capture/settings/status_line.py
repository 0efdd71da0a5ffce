"""calmkb's status line in the settings, in front of the one that a person has already."""

import re
import shlex
from typing import Any

from calmkb.capture.settings.hooks import OUR_PROGRAM
from calmkb.capture.settings.json_text import write_object
from calmkb.capture.settings.patch import read_settings
from calmkb.errors import CalmError

_KEY = "statusLine"
_OURS = re.compile(rf"{OUR_PROGRAM} statusline(?: --with (?P<theirs>.*))?", re.DOTALL)


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
    has_one = _KEY in settings
    line = settings.setdefault(_KEY, {"type": "command", "command": ""})
    if not isinstance(line, dict) or not isinstance(line.get("command"), str):
        raise CalmError(f"{place}: {_KEY} has no command; fix it by hand first")
    theirs = f" --with {shlex.quote(line['command'])}" if has_one else ""
    line["command"] = f"{program} statusline{theirs}"
    return write_object(settings, text)


def status_off(text: str, place: str) -> str:
    """Return the settings with the status line that a person had before."""
    settings = read_settings(text, place)
    if not has_status(settings):
        return text
    found = _OURS.fullmatch(settings[_KEY]["command"])
    theirs = found and found["theirs"]
    if theirs:
        settings[_KEY]["command"] = shlex.split(theirs)[0]
    else:
        del settings[_KEY]
    return write_object(settings, text)
