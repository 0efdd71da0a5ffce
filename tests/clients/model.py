"""A model on loopback that answers Codex and Gemini CLI as a test tells it to.

It keeps no place of its own: how often the agent has spoken in a request says which step comes.
"""

import json
import re
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.claude.model import Loopback

Json = dict[str, Any]
_SESSION = re.compile(r"--session-id ([\w-]+)")


class Model(Loopback):
    """The server; a step is `{"text": …}`, `{"tool": NAME, "input": {…}}`, for Codex a script.

    ASKED in a step is the session that the hook's question names: the model has read it.
    """

    def __init__(self) -> None:
        self.steps: list[Json] = []
        self.requests: list[Json] = []
        model = self

        class Handler(_Handler):
            def step(self, body: Json, spoken: int) -> Json:
                model.requests.append(body)
                step = model.steps[spoken] if spoken < len(model.steps) else {"text": "ok"}
                asked = _SESSION.search("\n".join(texts_in(body)))
                filled = json.dumps(step).replace("ASKED", asked[1] if asked else "")
                found: Json = json.loads(filled)
                return found

        super().__init__(Handler)

    def heard(self) -> str:
        """Return all text of the newest request."""
        return "\n".join(texts_in(self.requests[-1]))


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts_in(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


class _Handler(BaseHTTPRequestHandler):
    """The parts of the two vendors' APIs that the clients use."""

    def step(self, body: Json, spoken: int) -> Json:
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._send("application/json", b'{"data": [], "models": []}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if self.path.endswith("/responses"):
            self._codex(body)
        else:
            self._gemini(body)

    def _codex(self, body: Json) -> None:
        said = [one for one in body["input"] if one.get("type") == "custom_tool_call"
                or (one.get("type") == "message" and one["role"] == "assistant")]  # fmt: skip
        step, name = self.step(body, len(said)), uuid.uuid4().hex
        if "script" in step:
            item = {"type": "custom_tool_call", "name": "exec", "input": step["script"]}
        else:
            content = [{"type": "output_text", "text": step["text"]}]
            item = {"type": "message", "role": "assistant", "content": content}
        item |= {"id": name, "call_id": name}
        usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1,
                 "output_tokens_details": None, "total_tokens": 2}  # fmt: skip
        events = [
            {"type": "response.created", "response": {"id": name}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": name, "usage": usage}},
        ]
        lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events]
        self._send("text/event-stream", "".join(lines).encode())

    def _gemini(self, body: Json) -> None:
        step = {"text": "{}"}  # what is asked beside the conversation has no tools
        if body.get("tools"):
            step = self.step(body, sum(one["role"] == "model" for one in body["contents"]))
        part: Json = {"text": step.get("text", "")}
        if "tool" in step:
            part = {"functionCall": {"name": step["tool"], "args": step["input"]}}
        content = {"role": "model", "parts": [part]}
        made = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2}}  # fmt: skip
        if "stream" in self.path:
            self._send("text/event-stream", f"data: {json.dumps(made)}\n\n".encode())
        else:
            self._send("application/json", json.dumps(made).encode())

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
