"""Schemas in short: a model pays for those of all tools in every conversation.

Nothing is checked less: bounds hold at the call, where an error names them, and null means unset
for every optional argument. Left out are pydantic's titles and what unset means anyway. An answer
is read, not made, by a model: its schema names its fields and those of its rows.
"""

from collections.abc import Mapping
from typing import Any

_BOUNDS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")
_LEFT_OUT = ("title", "$defs", "default", "format", "additionalProperties", *_BOUNDS)
_REF = "#/$defs/"
Schema = dict[str, Any]


def input_schema(schema: Mapping[str, Any]) -> Schema:
    """Return the schema of a tool's arguments; the call refuses those that are not in it."""
    return _inlined(schema, schema.get("$defs", {}))


def output_schema(schema: Mapping[str, Any]) -> Schema:
    """Return the schema of a tool's answer."""
    inlined = _inlined(schema, schema.get("$defs", {}))
    return {"type": "object", "properties": _names(inlined.get("properties", {}))}


def _inlined(schema: Mapping[str, Any], models: Mapping[str, Any]) -> Schema:
    """Return a schema without references, null branches, bounds, and most defaults."""
    if ref := schema.get("$ref"):
        return _inlined(models[ref.removeprefix(_REF)] | _without(schema, "$ref"), models)
    branches = [branch for branch in schema.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == 1:
        return _inlined(branches[0] | _without(schema, "anyOf"), models)
    short = _without(schema, *_LEFT_OUT)
    if schema.get("default") is True:
        short["default"] = True
    if branches:
        short["anyOf"] = [_inlined(branch, models) for branch in branches]
    if "items" in schema:
        short["items"] = _inlined(schema["items"], models)
    if "properties" in schema:
        short.pop("description", None)  # a model's docstring is for readers of the code
        fields = schema["properties"].items()
        short["properties"] = {name: _inlined(part, models) for name, part in fields}
    return short


def _names(fields: Mapping[str, Schema]) -> Schema:
    """Return the fields of an answer, or of a row of it: their names, and nothing else."""
    return {name: _row(part.get("items", {})) for name, part in fields.items()}


def _row(part: Schema) -> Schema:
    return {"items": {"properties": _names(part["properties"])}} if "properties" in part else {}


def _without(schema: Mapping[str, Any], *names: str) -> Schema:
    return {key: value for key, value in schema.items() if key not in names}
