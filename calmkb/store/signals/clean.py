"""A signal's fields without what may not be kept: secrets, private spans, the machine's paths."""

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from calmkb.errors import RecordError

Clean = Callable[[str], str]
# What is made here or by the client, has its own form, and must come out as it went in.
_OWN = ("id", "version", "timestamp", "type", "status", "confidence")
_IDENTITY = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16}")


def default_clean() -> Clean:
    """Return the filter for this process's home and user."""
    from calmkb.redact import Redactor

    host = os.uname().nodename if hasattr(os, "uname") else ""
    user = os.environ.get("LOGNAME") or os.environ.get("USER") or os.environ.get("USERNAME") or ""
    return Redactor(home=Path.home(), user=user, host=host).text_or_json


def clean_fields(fields: Mapping[str, Any], clean: Clean) -> dict[str, Any]:
    """Return the fields fit to be kept; RecordError where they are not such as JSON can hold."""
    free = {name: value for name, value in fields.items() if name not in _OWN}
    try:
        document = json.dumps(free, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"a signal's fields must be such as JSON can hold: {error}") from error
    cleaned: dict[str, Any] = json.loads(clean(document)) if free else {}
    _restore(free, cleaned, "session_id")
    if isinstance(free.get("meta"), Mapping) and isinstance(cleaned.get("meta"), dict):
        _restore(free["meta"], cleaned["meta"], "key")
    own = {name: fields[name] for name in _OWN if name in fields}
    return {name: {**own, **cleaned}[name] for name in fields}


def _restore(before: Mapping[str, Any], after: dict[str, Any], name: str) -> None:
    """Put back an identifier that the filter may have taken for a secret."""
    value = before.get(name)
    if isinstance(value, str) and _IDENTITY.fullmatch(value):
        after[name] = value


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is no JSON value")
