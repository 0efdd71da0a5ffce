"""The parameters of the tool that stores an entry, one for each field that an agent may give."""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import Context
from pydantic import BaseModel, ConfigDict, Field

from calmkb.model import CONTENT, FieldSpec, with_why

T = TypeVar("T", bound=Callable[..., Any])


class Reasoned(BaseModel):
    """An item with the reason why it holds."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1, max_length=300)]
    why: Annotated[str, Field(max_length=300)] = ""


def as_item(item: "str | Reasoned") -> str:
    """Return an item as the text that an entry keeps."""
    return with_why(item.text, item.why) if isinstance(item, Reasoned) else item


def with_content_parameters(tool: T) -> T:
    """Give `tool` the parameters that `SessionContent` declares, a context and a raw log."""
    fields = [_parameter(name, spec) for name, spec in CONTENT.items() if spec.tool]
    # What is required comes first, as Python has it.
    fields.sort(key=lambda each: each.default is not Parameter.empty)
    log = Field(description="JSON Lines")
    # Plain text, not `str | None`: the SDK would read a one-line log as the JSON that it is.
    fields.append(_keyword("session_log_content", Annotated[str, log], ""))
    fields.append(_keyword("roots", tool.__annotations__["roots"], Parameter.empty))
    context = _keyword("context", Context, Parameter.empty)
    result = tool.__annotations__["return"]
    signature = Signature([context, *fields], return_annotation=result)
    setattr(tool, "__signature__", signature)  # noqa: B010 - functions do not declare it
    return tool


def _parameter(name: str, spec: FieldSpec) -> Parameter:
    described = Field(description=spec.help)
    if spec.kind == "items":
        most, length = spec.given or (spec.limit, spec.item_limit)
        item = Annotated[str, Field(min_length=1, max_length=length)]
        kind = item | Reasoned if spec.reasons else item
        bounded = Annotated[list[kind], Field(max_length=most)]  # type: ignore[valid-type]
        return _keyword(name, Annotated[bounded | None, described], None)
    if spec.kind == "flag":
        return _keyword(name, Annotated[bool, described], False)
    if spec.kind == "text" and spec.always:
        text = Field(min_length=1, max_length=spec.limit, description=spec.help)
        return _keyword(name, Annotated[str, text], Parameter.empty)
    if spec.always:  # the client's own folder, where the agent names none
        return _keyword(name, Annotated[str | None, described], None)
    return _keyword(name, Annotated[str, described], "")


def _keyword(name: str, kind: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
