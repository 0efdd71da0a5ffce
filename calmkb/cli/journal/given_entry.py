"""What `calmkb wrapup` is given: by options, as JSON or as Markdown."""

import json
import re
from typing import Any

from calmkb.cli.base.json_io import place_of, read_json, read_source
from calmkb.errors import CalmError
from calmkb.model import CONTENT, Draft, with_why

_OURS = ("paths", "hashes", "kinds")  # what a transcript tells
GIVEN = {name: spec for name, spec in CONTENT.items() if spec.kind not in _OURS}
"""The fields that the author of a wrap-up may give."""
_PRINTED = re.compile(
    r"^(# Session \S+ of \S+|## Session Wrapped Up|Journal entry saved: [\w-]+)$", re.MULTILINE
)
"""What calmkb prints around a draft and a report."""
_KINDS = {"text": "text", "line": "text", "items": "a list of text", "flag": "true or false"}


def read_given(given: dict[str, Any], as_json: str | None) -> dict[str, Any]:
    """Return what was said, under the names that an entry has; options count for more."""
    fields = {name: value for name in GIVEN if (value := given.get(name)) not in (None, ())}
    if as_json:
        fields = _read_json(as_json) | fields
    if source := given["markdown"]:
        from calmkb.kb.journal.draft_text import draft_from_text

        text = _PRINTED.sub("", read_source(source))
        fields = fields_of(draft_from_text(text, Draft())) | fields
    return fields


def fields_of(draft: Draft) -> dict[str, Any]:
    """Return what a draft says of a session."""
    return {name: value for name in (*CONTENT, "sections") if (value := getattr(draft, name))}


def _read_json(source: str) -> dict[str, Any]:
    """Return the entry in a JSON object, each field of the wrong kind named."""
    value = read_json(source)
    if not isinstance(value, dict):
        raise CalmError(f"{place_of(source)} must hold a JSON object with at least a summary")
    return {key: _checked(key, item) for key, item in value.items() if item is not None}


def _checked(key: str, item: object) -> object:
    if key not in GIVEN:
        raise CalmError(f"{key!r} is not a field of an entry; choose from: {', '.join(GIVEN)}")
    kind = _KINDS[GIVEN[key].kind]
    if kind == "a list of text" and isinstance(item, list):
        item = tuple(_reasoned(key, each) if GIVEN[key].reasons else each for each in item)
    if not _fits(kind, item):
        raise CalmError(f"{key} must be {kind}, not {json.dumps(item)[:60]}")
    return item


def _reasoned(key: str, item: object) -> object:
    """Return `{text, why}` as the text that an entry keeps, anything else as it is."""
    if not isinstance(item, dict):
        return item
    texts = all(isinstance(value, str) for value in item.values())
    if not texts or not item.get("text", "").strip() or set(item) - {"text", "why"}:
        raise CalmError(f"{key} must hold texts or {{text, why}}, not {json.dumps(item)[:60]}")
    return with_why(item["text"], item.get("why", ""))


def _fits(kind: str, item: object) -> bool:
    if isinstance(item, tuple):
        return kind == "a list of text" and all(isinstance(each, str) for each in item)
    return isinstance(item, bool if kind == "true or false" else str) and kind != "a list of text"
