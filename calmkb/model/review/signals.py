"""What a hook noticed in a session and a person may make a learning of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from calmkb.errors import RecordError
from calmkb.model.checks import (
    ITEM_LIMIT,
    check_characters,
    check_choice,
    check_text,
    raise_together,
)

SIGNAL_TYPES = (
    "failure", "correction", "convention", "command", "pattern", "project_friction", "summary",
)  # fmt: skip
SIGNAL_STATUSES = ("captured", "analyzed", "promoted", "dismissed", "confirmed")
_SIGNAL_ID = re.compile(r"SIG-\d{8}-\d{4,}")
_SIGNAL_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """Something a session may teach, noticed by a hook; nothing is learnt until a person says so.

    `source` names the `hook` and, where there is one, the `turn`.
    """

    id: str
    version: int = 1
    timestamp: str
    session_id: str
    type: str
    status: str = "captured"
    confidence: int
    source: Mapping[str, object]
    content: str
    context: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    promoted_to: str | None = None
    meta: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        raise_together(
            [
                (_check_signal_form, (self.id, "id", _SIGNAL_ID, "SIG-20260101-0001")),
                (_check_signal_form, (self.timestamp, "timestamp", _SIGNAL_TIME,
                                      "2026-01-01T12:00:00Z")),
                (check_choice, (self.version, "version", (1,))),
                (check_choice, (self.type, "type", SIGNAL_TYPES)),
                (check_choice, (self.status, "status", SIGNAL_STATUSES)),
                (check_choice, (self.confidence, "confidence", (1, 2, 3, 4))),
                (_check_kind, (self.session_id, "session_id", str, "a text")),
                (_check_kind, (self.content, "content", str, "a text")),
                (_check_kind, (self.context, "context", str, "a text")),
                (_check_kind, (self.category, "category", str, "a text")),
                (_check_kind, (self.promoted_to, "promoted_to", (str, type(None)), "a text")),
                (_check_kind, (self.source, "source", Mapping, "an object")),
                (_check_kind, (self.meta, "meta", Mapping, "an object")),
                (_check_words, (self.tags, "tags")),
                (_check_words, (self.related, "related")),
            ]
        )  # fmt: skip
        check_text(self.content, "content", ITEM_LIMIT)
        for name in ("session_id", "context", "category"):
            check_characters(getattr(self, name), name)


def _check_signal_form(value: object, what: str, form: re.Pattern[str], example: str) -> None:
    if not (isinstance(value, str) and form.fullmatch(value)):
        raise RecordError(f"{what} {value!r} is malformed; expected a form like {example}")


def _check_kind(value: object, what: str, kind: type | tuple[type, ...], name: str) -> None:
    if not isinstance(value, kind):
        raise RecordError(f"{what} must be {name}, not {value!r}")


def _check_words(value: object, what: str) -> None:
    if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{what} must be a list of texts, not {value!r}")
