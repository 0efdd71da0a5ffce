"""Lines of a transcript, made where a test needs them."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data" / "transcripts"


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def agent(*blocks: dict[str, Any], message_id: str = "", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": list(blocks)}
    if message_id:
        message["id"] = message_id
    return {"type": "assistant", "message": message, **more}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(use_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": use_id, "name": name, "input": given}


def result(use_id: str, content: Any, *, failed: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": use_id, "content": content, "is_error": failed}
    return user([block])


def shell(number: int, command: str, output: str, *, failed: bool = False) -> list[dict[str, Any]]:
    use_id = f"t{number}"
    return [
        agent(call(use_id, "Bash", command=command)),
        result(use_id, f"Exit code 1\n{output}" if failed else output, failed=failed),
    ]


def write(folder: Path, *objects: dict[str, Any], name: str = "session.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")
    return path
