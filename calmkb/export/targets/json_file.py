"""The digest for programs."""

import json

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Item, Selection
from calmkb.export.safe_text import Dialect

FILE = "calmkb-digest.json"
VERSION = 1


def render(selection: Selection) -> tuple[Output, ...]:
    """Return one object: the items with what they are worth and cost, and what was left out."""
    if not selection.items and not selection.left_out:
        return (Output(FILE, "", owned=True, whole=True),)
    document = {
        "generator": "calmkb",
        "version": VERSION,
        "project": selection.project,
        "tokens": sum(item.tokens for item in selection.items),
        "items": [_item(item) for item in selection.items],
        "left_out": [
            {"id": one.memory.id, "reason": why, "worth": one.worth, "tokens": one.tokens}
            for one, why in ((left.item, left.reason) for left in selection.left_out)
        ],
    }
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    return (Output(FILE, text, owned=True, whole=True),)


def _item(item: Item) -> dict[str, object]:
    memory = item.memory
    return {
        "id": memory.id,
        "text": item.text,
        "category": memory.category,
        "scope": memory.scope,
        "paths": list(memory.paths),
        "importance": memory.importance,
        "worth": item.worth,
        "tokens": item.tokens,
        "origin": memory.origin,
        "approved_by": item.approved,
        "sources": list(memory.sources),
    }


EXPORTER = Exporter(
    name="json",
    file=FILE,
    render=render,
    dialect=Dialect(scoped=True, plain=True),
    for_programs=True,
    order=8,
)
