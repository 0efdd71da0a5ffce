"""A server for the official conformance runner: calmkb's own, with the runner's fixtures added.

    python -m tests.wings.mcp.conformance_server 8765 &
    npx @modelcontextprotocol/conformance server --url http://127.0.0.1:8765/mcp

The fixtures are what a knowledge base has no use for: pictures, sampling, subscriptions. They go
through the same server class, argument checks, guard and HTTP as the tools of calmkb.
"""

import base64
import inspect
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.streamable_http import EventMessage, EventStore

from calmkb.errors import RecordError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.base.tool import READS
from calmkb.wings.mcp.http import RequestTimeoutProtocol, guarded_app
from calmkb.wings.mcp.server import build_server
from calmkb.wings.mcp.tools import for_client

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQV"
    "R42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
TWENTY_TWELVE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}
CHOICES = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [
        {"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                   "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "items": {
        "type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": [
        {"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]}},
}  # fmt: skip
DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {
        "type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}  # fmt: skip
Content = types.TextContent | types.ImageContent | types.AudioContent | types.EmbeddedResource


def text(said: str) -> types.TextContent:
    return types.TextContent(text=said)


def image() -> types.ImageContent:
    return types.ImageContent(data=PNG, mime_type="image/png")


def resource(uri: str, said: str, kind: str = "text/plain") -> types.EmbeddedResource:
    inner = types.TextResourceContents(uri=uri, mime_type=kind, text=said)
    return types.EmbeddedResource(resource=inner)


def test_simple_text(context: Context) -> str:
    """Return text."""
    return "This is a simple text response for testing."


def test_image_content(context: Context) -> list[Content]:
    """Return a picture."""
    return [image()]


def test_audio_content(context: Context) -> list[Content]:
    """Return a sound."""
    return [types.AudioContent(data=WAV, mime_type="audio/wav")]


def test_embedded_resource(context: Context) -> list[Content]:
    """Return a resource."""
    return [resource("test://embedded-resource", "This is an embedded resource content.")]


def test_multiple_content_types(context: Context) -> list[Content]:
    """Return text, a picture and a resource."""
    mixed = '{"test":"data","value":123}'
    return [
        text("Multiple content types test:"),
        image(),
        resource("test://mixed-content-resource", mixed, "application/json"),
    ]


async def test_tool_with_logging(context: Context) -> str:
    """Log three messages."""
    for said in ("started", "processing data", "completed"):
        await context.session.send_log_message("info", f"Tool execution {said}", None,
                                               context.request_id)  # fmt: skip
        await anyio.sleep(0.05)
    return "Logged."


def test_error_handling(context: Context) -> str:
    """Fail."""
    raise RecordError("This tool intentionally returns an error for testing")


async def test_tool_with_progress(context: Context) -> str:
    """Report progress."""
    for done in (0, 50, 100):
        await context.report_progress(done, 100)
        await anyio.sleep(0.05)
    return "Done."


async def test_sampling(context: Context, prompt: str) -> str:
    """Ask the client's model."""
    asked = types.SamplingMessage(role="user", content=text(prompt))
    said = await context.session.create_message(
        [asked], max_tokens=100, related_request_id=context.request_id
    )
    return f"LLM response: {said.content}"


async def asked(context: Context, message: str, fields: dict[str, Any], *needed: str) -> str:
    schema = {"type": "object", "properties": fields, "required": list(needed)}
    said = await context.session.elicit_form(message, schema, context.request_id)
    return f"action={said.action}, content={said.content}"


async def test_elicitation(context: Context, message: str) -> str:
    """Ask the person."""
    fields = {name: {"type": "string", "description": name} for name in ("username", "email")}
    return f"User response: {await asked(context, message, fields, *fields)}"


async def test_elicitation_sep1034_defaults(context: Context) -> str:
    """Ask with defaults."""
    return f"Elicitation completed: {await asked(context, 'Please fill in.', DEFAULTS)}"


async def test_elicitation_sep1330_enums(context: Context) -> str:
    """Ask with choices."""
    return f"Elicitation completed: {await asked(context, 'Please choose.', CHOICES)}"


async def test_reconnection(context: Context) -> str:
    """Close the stream in the middle of the call; the client comes back for the answer."""
    await context.close_sse_stream()
    await anyio.sleep(0.1)
    return "Reconnected."


def json_schema_2020_12_tool(context: Context) -> str:
    """Take what its schema says."""
    return "Taken."


TOOLS = (
    *(test_simple_text, test_image_content, test_audio_content, test_embedded_resource),
    *(test_multiple_content_types, test_tool_with_logging, test_error_handling),
    *(test_tool_with_progress, test_sampling, test_elicitation, test_reconnection),
    *(test_elicitation_sep1034_defaults, test_elicitation_sep1330_enums),
)


class Memory(EventStore):
    """Events of streams, for clients that come back."""

    def __init__(self) -> None:
        self._events: list[tuple[str, Any]] = []

    async def store_event(self, stream_id: str, message: Any) -> str:
        self._events.append((stream_id, message))
        return str(len(self._events))

    async def replay_events_after(self, last_event_id: str, send_callback: Any) -> str | None:
        position = int(last_event_id)
        stream = self._events[position - 1][0]
        for number, (name, message) in enumerate(self._events[position:], position + 1):
            if name == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def build(folder: Path) -> Any:
    """Return calmkb's server with the fixtures."""
    server = build_server(partial(open_kb, Environment(home=folder, cwd=folder)))
    for function in TOOLS:
        if inspect.iscoroutinefunction(function):  # calmkb's own tools are none
            server.add_tool(function)
        else:
            server.add_tool(for_client(function), annotations=READS)
    server.shown = {*server.shown, *(function.__name__ for function in TOOLS)}
    add_verbatim_tool(server)
    add_resources(server)
    add_prompts(server)

    @server.completion()
    async def complete(reference: Any, argument: Any, context: Any) -> types.Completion:
        return types.Completion(values=["paris", "park", "party"], total=3, has_more=False)

    async def accept(context: Any, params: Any) -> types.EmptyResult:
        return types.EmptyResult()

    for method, kind in (
        ("resources/subscribe", types.SubscribeRequestParams),
        ("resources/unsubscribe", types.UnsubscribeRequestParams),
        ("logging/setLevel", types.SetLevelRequestParams),
    ):
        server._lowlevel_server.add_request_handler(method, kind, accept)
    return server


def add_verbatim_tool(server: Any) -> None:
    """Add the tool whose schema the runner wants to see as it was given, not in short."""
    usual = server.list_tools

    async def list_tools() -> list[types.Tool]:
        verbatim = types.Tool(
            name="json_schema_2020_12_tool", description="2020-12.", input_schema=TWENTY_TWELVE
        )
        return [*await usual(), verbatim]

    server.list_tools = list_tools


def add_resources(server: Any) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        return base64.b64decode(PNG)

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        return "Watched."

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002
        return f'{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}'


def add_prompts(server: Any) -> None:
    @server.prompt(description="One of the runner's prompts.")
    def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(description="One of the runner's prompts.")
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(description="One of the runner's prompts.")
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        inner = resource(resourceUri, "Embedded resource content for testing.")
        return [UserMessage(inner), UserMessage("Please process the embedded resource above.")]

    @server.prompt(description="One of the runner's prompts.")
    def test_prompt_with_image() -> list[UserMessage]:
        return [UserMessage(image()), UserMessage("Please analyze the image above.")]


def main(port: int) -> None:
    """Serve on loopback."""
    with tempfile.TemporaryDirectory() as name:
        server = build(Path(name))
        app = guarded_app(server, host="127.0.0.1", port=port, token=None)
        server.session_manager.event_store = Memory()
        server.session_manager.retry_interval = 100
        uvicorn.run(app, port=port, log_level="info", access_log=False, http=RequestTimeoutProtocol)


if __name__ == "__main__":
    main(int(sys.argv[1]))
