"""JSON redacted inside its values: what goes in as JSON comes out as JSON."""

import json
from collections.abc import Callable

from calmkb.redact.names import SECRET_NAME, is_harmless_name, names_password
from calmkb.redact.values import is_secret_value


class JsonCleaner:
    """Applies `clean` to the texts of a JSON value, and hides those under a secret's name."""

    def __init__(
        self,
        clean: Callable[[str], str],
        spared: Callable[[str], bool],
        hide: Callable[[], str],
    ) -> None:
        self._clean = clean
        self._spared = spared
        self._hide = hide

    def line(self, line: str) -> str:
        """Return one JSON document redacted; to the letter if it held nothing, or as plain text."""
        try:
            value = json.loads(line)
            cleaned = self.value(value)
        except (ValueError, RecursionError):
            return self._clean(_whole(line))
        if cleaned == value:
            return line
        return json.dumps(cleaned, ensure_ascii=False, separators=(",", ":"))

    def value(self, value: object) -> object:
        """Return a JSON value redacted, its keys too."""
        if isinstance(value, str):
            return self._clean(_whole(value))
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            named = self._named(value)
            return {
                self._clean(_whole(key)): self._keyed(
                    named if key == "value" and named else key, item
                )
                for key, item in value.items()
            }
        return value

    def _named(self, table: dict[str, object]) -> str:
        """Return what an object names itself: `{"name": "DB_PASSWORD", "value": …}`."""
        name = table.get("name", table.get("key"))
        return name if isinstance(name, str) and SECRET_NAME.search(name) else ""

    def _keyed(self, key: str, item: object) -> object:
        found = SECRET_NAME.search(key)
        if not found or is_harmless_name(key, found.start()):
            return self.value(item)
        if isinstance(item, list):
            return [self._keyed(key, one) for one in item]
        if isinstance(item, str) and is_secret_value(item) and not self._spared(item):
            return self._hide() if " " not in item or names_password(key) else self.value(item)
        if isinstance(item, int) and not isinstance(item, bool) and names_password(key):
            return self._hide()
        return self.value(item)


def _whole(text: str) -> str:
    """Return `text` with what UTF-8 or a file cannot hold replaced: logs are cut anywhere."""
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")
