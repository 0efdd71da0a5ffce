"""Paths lose the machine: a shared journal does not tell whose laptop it was."""

import re
from collections.abc import Sequence
from pathlib import Path

from calmkb.model import Place

_HOMES = re.compile(
    r"(?<![\w.~/-])(?:/home/|/Users/|/var/home/|[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2})"
    r"(?!runner\b|Shared\b|Public\b|linuxbrew\b)[^\s/\\:\"'`<>|*?,;()]+"
)
_MAPPED_HOME = re.compile(r"(?<=projects/)-(?:home|Users)-[A-Za-z0-9]+(?=-|/|\b)")
_AFTER = r"(?=[\\/\s:\"'`<>|*?,;()\]}]|\.?\Z|\.\s)"
_HOST_LENGTH = 4


class Machine:
    """What is known of this machine: its home, repositories (longest path wins), user and host."""

    def __init__(self, *, home: Path, places: Sequence[Place], user: str, host: str) -> None:
        known = [*places, Place(str(home), "~")]
        ordered = sorted(known, key=lambda place: -len(place.folder))
        self._folders = [
            (re.compile(r"(?<![\w.~/-])" + re.escape(place.folder.rstrip("/\\")) + _AFTER), place)
            for place in ordered
            if len(place.folder.rstrip("/\\")) > 1
        ]
        self._at_host = re.compile(rf"\b{re.escape(user)}@[\w.-]+") if user else None
        plain = len(host) >= _HOST_LENGTH and host != "localhost"
        self._host = re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w-])") if plain else None

    def neutralise(self, text: str) -> str:
        """Return `text` with homes as `~`, repositories by name, no user and no host."""
        for pattern, place in self._folders:
            text = pattern.sub(place.name.replace("\\", r"\\"), text)
        text = _HOMES.sub("~", text)
        text = _MAPPED_HOME.sub("-home", text)
        if self._at_host:
            text = self._at_host.sub("user@host", text)
        return self._host.sub("host", text) if self._host else text
