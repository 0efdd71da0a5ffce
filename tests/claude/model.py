"""A model on loopback that answers the real client as the test's prompt tells it to.

A `scripted` prompt names the answers after it: `{"text": …}`, `{"tool": NAME, "input": {…}}`,
several of them as `{"blocks": [step, …]}`, or `{"error": STATUS}`. A step with `"if": WORDS` is
left out unless its tools have answered with these words, such as what a person chose.
It keeps no state, so a resumed session goes on where it was.
"""

import base64
import json
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Json = dict[str, Any]
_SCRIPT = re.compile(r"SCRIPT:([A-Za-z0-9+/=]+)")
_COMPACTION = ("create a detailed summary", "Respond with TEXT ONLY")


def scripted(prompt: str, *steps: Json) -> str:
    """Return `prompt` with what the model is to do; in letters that the client leaves alone.

    It ends in `=`, by which a test sees that the terminal has taken all of it.
    """
    data = json.dumps(steps).encode()
    script = base64.b64encode(data + b" " * (-len(data) % 3 + 1)).decode()
    return f"{prompt} SCRIPT:{script}" if steps else prompt


class Loopback:
    """A server at `address`, while it is entered."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Model(Loopback):
    """The server; `requests` are the bodies of the conversation's requests, oldest first."""

    def __init__(self) -> None:
        self.requests: list[Json] = []
        model = self

        class Handler(_Handler):
            def answer(self, body: Json) -> list[Json]:
                if body.get("tools"):
                    model.requests.append(body)
                return _steps(body)

        super().__init__(Handler)


def _steps(body: Json) -> list[Json]:
    messages = body.get("messages", [])
    if any(mark in _text(one["content"]) for one in messages[-2:] for mark in _COMPACTION):
        return [{"text": "<summary>\nWhat was said so far.\n</summary>"}]
    if not body.get("tools"):
        return [{"text": '{"title": "A title"}'}]
    for at in range(len(messages) - 1, -1, -1):
        said = _text(messages[at]["content"]) if messages[at]["role"] == "user" else ""
        if found := _SCRIPT.findall(said):
            steps = json.loads(base64.b64decode(found[-1]))
            done = sum(one["role"] == "assistant" for one in messages[at + 1 :])
            step = steps[done] if done < len(steps) else {"text": "out of steps"}
            heard = _answers(messages[at + 1 :])
            taken = [one for one in step.get("blocks", [step]) if one.get("if", "") in heard]
            return taken or [{"text": "nothing to do"}]
    return [{"text": "ok"}]


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(one["text"] for one in content if one.get("type") == "text")
    return str(content)


def _answers(messages: list[Json]) -> str:
    """Return what the tools have answered."""
    said = [part for one in messages if isinstance(one["content"], list) for part in one["content"]]
    return "\n".join(_text(one["content"]) for one in said if one.get("type") == "tool_result")


def _block(step: Json) -> Json:
    if "tool" not in step:
        return {"type": "text", "text": step["text"]}
    given = step.get("input", {})
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex}", "name": step["tool"],
            "input": given}  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    """The part of the Messages API that the client uses."""

    def answer(self, body: Json) -> list[Json]:
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._json(200, {"data": [], "has_more": False})

    def do_HEAD(self) -> None:
        self._json(200, {})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.partition("?")[0] == "/v1/messages/count_tokens":
            self._json(200, {"input_tokens": len(raw) // 4})
            return
        steps = self.answer(json.loads(raw))
        if "error" in steps[0]:
            fault = {"type": steps[0].get("type", "api_error"), "message": "as the test wants"}
            self._json(steps[0]["error"], {"type": "error", "error": fault})
            return
        blocks = [_block(step) for step in steps]
        stop = "tool_use" if any(one["type"] == "tool_use" for one in blocks) else "end_turn"
        usage = {"input_tokens": len(raw) // 4, "output_tokens": 12}
        message = {"id": f"msg_{uuid.uuid4().hex}", "type": "message", "role": "assistant",
                   "model": "mock", "content": blocks, "stop_reason": stop,
                   "stop_sequence": None, "usage": usage}  # fmt: skip
        if json.loads(raw).get("stream"):
            self._stream(message)
        else:
            self._json(200, message)

    def _json(self, status: int, value: Json) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, message: Json) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self._event("message_start", message=message | {"content": [], "stop_reason": None})
        for index, block in enumerate(message["content"]):
            if block["type"] == "text":
                start, delta = {"text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                given = json.dumps(block["input"])
                start, delta = {"input": {}}, {"type": "input_json_delta", "partial_json": given}
            self._event("content_block_start", index=index, content_block=block | start)
            self._event("content_block_delta", index=index, delta=delta)
            self._event("content_block_stop", index=index)
        ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        self._event("message_delta", delta=ended, usage={"output_tokens": 12})
        self._event("message_stop")

    def _event(self, kind: str, **fields: object) -> None:
        data = json.dumps({"type": kind, **fields})
        self.wfile.write(f"event: {kind}\ndata: {data}\n\n".encode())
        self.wfile.flush()
