"""JSON redacted inside its values: what goes in as JSON comes out as JSON."""

import json
import re
from collections.abc import Callable, Collection

from calmkb.redact.rules.names import SECRET_NAME, is_harmless_name, names_password
from calmkb.redact.rules.rule import IsAllowed
from calmkb.redact.rules.values import is_secret_value

_HOLDERS = frozenset({"value", "val", "plain", "plaintext", "raw", "current"})
_ROOM = 16_000_000
"""Characters of the texts, each with some for itself, that are remembered as clean."""
_EACH = 100
_ENDS = 4_000
_NO_WORDS = re.compile(r"(?:id|signature|timestamp|role|type|model|version)\Z", re.IGNORECASE)


class JsonCleaner:
    """Applies `clean` to the texts of a JSON value, and hides those under a secret's name."""

    def __init__(
        self, clean: Callable[[str], str], is_allowed: IsAllowed, hide: Callable[[str], str]
    ) -> None:
        self._clean_text = clean
        self._kept: set[str] = set()
        self._room = _ROOM
        self._is_allowed = is_allowed
        self._hide = hide
        self.texts: list[str] = []  # of long ones the beginning and the end

    def _clean(self, text: str) -> str:
        """Return a text redacted; one that held nothing is known again.

        Keys are on every line, and clients write what a tool answered twice.
        """
        if text in self._kept:
            return text
        cleaned = self._clean_text(text)
        if cleaned == text and len(text) <= self._room:
            self._kept.add(text)
            self._room -= len(text) + _EACH
        return cleaned

    def document(self, text: str) -> str:
        """Return one JSON document redacted, or a text redacted as the whole that it is."""
        return self._json(text) if text.lstrip()[:1] in ("{", "[") else self._clean(text)

    def lines(self, text: str) -> str:
        """Return JSON Lines redacted; lines between them that are no JSON are one text."""
        if "\n" in text.strip() and (document := self._line(text)) is not None:
            return document
        lines = text.split("\n")
        done: list[str] = []
        plain: list[str] = []
        for line in lines:
            cleaned = self._line(line)
            if cleaned is None:
                plain.append(line)
            else:
                done += [*self._plain(plain), cleaned]
                plain = []
        return "\n".join([*done, *self._plain(plain)])

    def lines_with(self, words: Collection[str], text: str) -> str:
        """Return `text` with the lines that hold one of `words` redacted once more."""
        escaped = (json.dumps(one, ensure_ascii=a)[1:-1] for one in words for a in (True, False))
        forms = {form for form in (*words, *escaped) if form in text}
        if not forms:
            return text
        return "\n".join(
            self._json(line) if any(form in line for form in forms) else line
            for line in text.split("\n")
        )

    def _plain(self, lines: list[str]) -> list[str]:
        return [self._clean(whole("\n".join(lines)))] if lines else []

    def _json(self, text: str) -> str:
        """Return one document redacted, or a text as a text."""
        cleaned = self._line(text)
        return self._clean(whole(text)) if cleaned is None else cleaned

    def _line(self, text: str) -> str | None:
        """Return JSON redacted, to the letter if it held nothing; None for what is no JSON."""
        if text.lstrip()[:1] not in ("{", "[", '"'):
            return None
        try:
            value = json.loads(text)
            cleaned = self.value(value)
        except (ValueError, RecursionError):
            return None
        if cleaned == value:
            return text
        indent = 2 if "\n" in text.strip() else None
        separators = None if indent else (",", ":")
        return json.dumps(cleaned, ensure_ascii=False, indent=indent, separators=separators)

    def value(self, value: object) -> object:
        """Return a JSON value redacted, its keys too."""
        if isinstance(value, str):
            short = len(value) <= 2 * _ENDS
            self.texts.append(value if short else f"{value[:_ENDS]}\n{value[-_ENDS:]}")
            return self._clean(whole(value))
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            # What an object names itself: `{"name": "DB_PASSWORD", "value": …}`.
            name = value.get("name", value.get("key"))
            named = name if isinstance(name, str) and SECRET_NAME.search(name) else ""
            return self._table(value, ("value",) if named else (), named)
        return value

    def _table(
        self, table: dict[str, object], holders: Collection[str], named: str
    ) -> dict[str, object]:
        """Return an object redacted; what is under one of `holders` is the value of `named`."""
        return {
            self._clean(whole(key)): self._keyed(named if key.lower() in holders else key, item)
            for key, item in table.items()
        }

    def _keyed(self, key: str, item: object) -> object:
        if isinstance(item, str) and _NO_WORDS.search(key):
            return self._clean(whole(item))
        found = SECRET_NAME.search(key)
        if not found or is_harmless_name(key, found.start()):
            return self.value(item)
        if isinstance(item, list):
            return [self._keyed(key, one) for one in item]
        if isinstance(item, dict):
            # An object that says what a secret is: `{"apiKey": {"value": …}}`.
            return self._table(item, _HOLDERS, key)
        if isinstance(item, str) and is_secret_value(item) and not self._is_allowed(item):
            hidden = " " not in item or names_password(key)
            return self._hide(item) if hidden else self.value(item)
        if isinstance(item, int) and not isinstance(item, bool) and names_password(key):
            return self._hide(str(item))
        return self.value(item)


def whole(text: str) -> str:
    """Return `text` with what UTF-8 or a file cannot hold replaced: logs are cut anywhere."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")
