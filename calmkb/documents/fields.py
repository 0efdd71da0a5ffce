"""Front-matter values read as the types that records hold, each fault named."""

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime

from calmkb.errors import RecordError
from calmkb.model import FrontValue

_TRUE = {"true", "yes", "on"}
_FALSE = {"false", "no", "off", ""}


class Fields:
    """The front matter of one file: each getter takes its key out, what is left is `extra`."""

    def __init__(self, metadata: Mapping[str, FrontValue]) -> None:
        self._left = dict(metadata)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def text(self, key: str, default: str = "") -> str:
        """Return a one-line value."""
        value = self._left.pop(key, default)
        if not isinstance(value, str):
            raise RecordError(f"{key} must be text, not a list or a mapping")
        return str(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of text; one bare value is a list of one."""
        value = self._left.pop(key, [])
        if isinstance(value, str):
            return (str(value),) if value else ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise RecordError(f"{key} must be a list of text")
        return tuple(str(item) for item in value)

    def flag(self, key: str) -> bool:
        """Return a yes or no."""
        value = self.text(key).strip().lower()
        if value not in _TRUE | _FALSE:
            raise RecordError(f"{key} is {value!r}; write true or false")
        return value in _TRUE

    def number(self, key: str, default: float) -> float:
        """Return a number."""
        value = self.text(key)
        try:
            return float(value) if value else default
        except ValueError:
            raise RecordError(f"{key} is {value!r}; write a number") from None

    def moment(self, key: str, fallback: datetime | None) -> datetime:
        """Return a time; one without an offset is UTC."""
        value = self.text(key)
        if not value:
            if fallback is None:
                raise RecordError(
                    f"{key} is missing; write a time like '2026-10-19T14:22:33+00:00'"
                )
            return fallback
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise RecordError(
                f"{key} is {value!r}; write a time like '2026-10-19T14:22:33+00:00'"
            ) from None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def identity(self, path: str) -> str:
        """Return the id, or for a hand-written file without one an id that its path fixes."""
        return self.text("id").strip().lower() or str(uuid.uuid5(uuid.NAMESPACE_URL, path))

    def rest(self) -> dict[str, FrontValue]:
        """Return the keys that no getter took."""
        return self._left
