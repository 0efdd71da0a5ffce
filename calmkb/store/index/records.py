"""Records as rows of the index and back: JSON that gives the same record as its file does."""

import dataclasses
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from calmkb.documents.paths import CLASSES
from calmkb.model import (
    CONTENT,
    Entry,
    Evidence,
    Feedback,
    FinishedStep,
    Improvement,
    Memory,
    ProjectAlias,
    Record,
    Reflection,
    Rejection,
    Section,
)

_PLAIN = "\0plain"  # marks a scalar that was written without quotes: no record's text can hold NUL

Texts = tuple[str, str, str]


def pack(record: Record, *, marked: bool = True) -> str:
    """Return `record` as JSON; unless `marked`, as other programs read it."""
    fields = {name: _packed(getattr(record, name)) for name in _NAMES[type(record)]}
    if marked:
        fields["extra"] = {key: _to_extra(value) for key, value in record.extra.items()}
    return json.dumps(fields)


def unpack(kind: str, packed: Mapping[str, Any]) -> Record:
    """Return the record that `pack` made JSON of, read back to `packed`."""
    fields = dict(packed)
    for name, value in packed.items():
        if isinstance(value, list):
            make = _PARTS.get(name)
            fields[name] = tuple(make(**item) if make else item for item in value)
    fields["created_at"] = datetime.fromisoformat(fields["created_at"])
    fields["extra"] = {key: _from_extra(value) for key, value in fields["extra"].items()}
    record: Record = CLASSES[kind](**fields)
    return record


def texts_of(record: Record) -> Texts:
    """Return what is searched, by weight: title, friction, the rest."""
    if isinstance(record, Entry):
        title = "\n".join(_weighted(record, "title"))
        friction, rest = _weighted(record, "friction"), _weighted(record, "rest")
    elif isinstance(record, Memory):
        title, friction = record.text, (record.why,)
        rest = (record.category, record.scope, *record.tags, *(e.quote for e in record.evidence))
    elif isinstance(record, Reflection):
        title, friction = "\n".join(record.accepted), ()
        rest = (*(item.text for item in record.rejected), record.reviewed_by)
    elif isinstance(record, Improvement):
        title, friction = record.title, (record.details,)
        rest = (record.category, record.action, record.project, record.state)
        rest += tuple(e.quote for e in record.evidence)
    elif isinstance(record, Feedback):
        title, friction, rest = record.note, (), (record.verdict, record.given_by)
    elif isinstance(record, ProjectAlias):
        title, friction, rest = record.name, (), (*record.aliases, record.decided_by)
    elif isinstance(record, FinishedStep):
        title, friction, rest = record.step, (), (record.finished_by,)
    else:
        title, friction, rest = "", (), (record.resumed_by,)
    rest += tuple(f"{part.heading}\n{part.text}" for part in record.sections)
    rest += tuple(_words_in(record.extra))
    return title, "\n".join(friction), "\n".join(part for part in rest if part)


_NAMES = {kind: tuple(each.name for each in dataclasses.fields(kind)) for kind in CLASSES.values()}
_PARTS: dict[str, Any] = {"sections": Section, "evidence": Evidence, "rejected": Rejection}


def _weighted(entry: Entry, weight: str) -> tuple[str, ...]:
    """Return the texts of a session whose words have this weight in a search."""
    values = (getattr(entry, name) for name, spec in CONTENT.items() if spec.weight == weight)
    return tuple(text for each in values for text in (each if isinstance(each, tuple) else (each,)))


def _packed(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _packed(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_packed(item) for item in value]
    if isinstance(value, (Section, Evidence, Rejection)):
        return {name: getattr(value, name) for name in value.__slots__}
    return value


def _to_extra(value: object) -> object:
    if isinstance(value, list):
        return [_to_extra(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _to_extra(item) for key, item in value.items()}
    # `Plain` is a class of the codec, whose YAML reader no list should have to load.
    return value if type(value) is str else {_PLAIN: str(value)}


def _from_extra(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_extra(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _PLAIN in value:
        from calmkb.documents.front_matter import Plain

        return Plain(value[_PLAIN])
    return {key: _from_extra(item) for key, item in value.items()}


def _words_in(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [word for item in value.values() for word in _words_in(item)]
    if isinstance(value, list):
        return [word for item in value for word in _words_in(item)]
    return [str(value)]
