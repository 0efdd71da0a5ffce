"""Paths lose the machine: a shared journal does not tell whose laptop it was."""

import re
from collections.abc import Sequence
from pathlib import Path

from calmkb.model import Place

_SLASH = r"(?:\\{1,4}/?|/|%2[Ff]|%5[Cc])"
# A path begins here: not in the middle of another one, but after `file://` it does.
_BEFORE = r"(?:(?<![\w.~/\\%-])|(?<=file://)|(?<=%3A%2F%2F)|(?<=file:%2F%2F)|(?<=\\[nrt]))"
_AFTER = r"(?![\w-])(?!\.\w)"
_KEPT_NAMES = r"(?:runner|Shared|Public|linuxbrew)\b"
_HOMES = re.compile(
    rf"{_BEFORE}(?:{_SLASH}(?:var{_SLASH})?home|(?:{_SLASH}mnt{_SLASH}[a-z]|{_SLASH}[a-z]|"
    rf"{_SLASH}?[A-Za-z](?::|%3[Aa]))?{_SLASH}Users){_SLASH}"
    rf"(?!{_KEPT_NAMES})[^\s/\\:\"'`<>|*?,;()%\[\]]{{1,64}}"
)
# Claude Code keeps the sessions of /home/ada/shop in a folder called -home-ada-shop.
_MAPPED_HOME = re.compile(
    r"(?<=projects[/\\])(?:-home|(?:[A-Za-z]-)?-Users)-(?!-|~)[A-Za-z0-9]{1,64}"
    r"|(?<![\w-])(?:[A-Za-z]-)?-Users-(?!-|~)[A-Za-z0-9]{1,64}(?=-)"
)
_PROMPT = re.compile(
    r"(?<![\w.@-])(?!user@host)[a-z_][\w-]{0,31}@[\w.-]{1,63}"
    r"(?=:[~/][^\s$#%]{0,200}[$#%](?:\s|\Z)|[ ][^\]\n]{1,80}\][$#])"
)
_HOST_LENGTH = 4
# Host names that are words of everyday prose: to replace them would garble it.
_COMMON = frozenset(
    """agent arch build builder code container data debian default desktop devcontainer docker
    fedora home host kali laptop linux local localhost macbook main master node runner
    server test ubuntu vagrant windows work worker workspace""".split()
)
_COMMON_USERS = ("git", "user")


class Machine:
    """What is known of this machine: its home, repositories (longest path wins), user and host."""

    def __init__(self, *, home: Path, places: Sequence[Place], user: str, host: str) -> None:
        self.names = (str(home), tuple((place.folder, place.name) for place in places), user, host)
        known = [*places, Place(str(home), "~")]
        ordered = sorted(known, key=lambda place: -len(place.folder))
        self._folders = [
            (_folder(place.folder), place.name, max(re.split(r"[\\/]", place.folder), key=len))
            for place in ordered
            if len(place.folder.rstrip("/\\")) > 1
        ]
        self._mapped = _mapped(str(home))
        sure = user and user not in _COMMON_USERS
        self._at_host = re.compile(rf"(?<![\w.-]){re.escape(user)}@[\w.-]+") if sure else None
        plain = len(host) >= _HOST_LENGTH and host.casefold() not in _COMMON
        self._host = re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w-])") if plain else None

    def neutralise(self, text: str) -> str:
        """Return `text` with homes as `~`, repositories by name, no user and no host."""
        # A pattern tries every character; a plain word that it needs is quick to find.
        for pattern, name, part in self._folders:
            if part in text:
                text = pattern.sub(name.replace("\\", r"\\"), text)
        if self._mapped:
            text = self._mapped.sub("-~", text)
        if "home" in text or "Users" in text:
            text = _MAPPED_HOME.sub("-~", _HOMES.sub("~", text))
        if "@" in text:
            text = _PROMPT.sub("user@host", text)
            if self._at_host:
                text = self._at_host.sub("user@host", text)
        return self._host.sub("host", text) if self._host else text


def _folder(folder: str) -> re.Pattern[str]:
    """Return a pattern for a folder, its separators escaped for JSON or a URL or not."""
    parts = [re.escape(part) for part in re.split(r"[\\/]", folder.rstrip("/\\"))]
    return re.compile(_BEFORE + _SLASH.join(parts) + _AFTER)


def _mapped(home: str) -> re.Pattern[str] | None:
    """Return a pattern for the mapped name of a home in no usual place."""
    name = re.sub(r"[^A-Za-z0-9]", "-", home)
    if name.count("-") < 2:
        return None
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![A-Za-z0-9])")
