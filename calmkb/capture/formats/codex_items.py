"""What the items and events of Codex's rollouts hold, read whatever is in them."""

import contextlib
import json
import re
from typing import Any

from calmkb.capture.formats.cleaning import clean
from calmkb.capture.formats.fields import name_of, object_of, text_of, words_of
from calmkb.capture.formats.turns import PlanItem

_EXIT = re.compile(r"(?:exit(?:ed with)? code:?|exit_code\"?:)\s*(\d+)", re.IGNORECASE)


def said(payload: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what an event tells of the conversation, as the items that say the same."""
    item = object_of(payload.get("item")) or payload
    kind = name_of(item.get("type")).replace("_", "").lower()
    call, code = text_of(item.get("id")), item.get("exit_code")
    match kind:
        case "usermessage" | "agentmessage":
            content = item.get("content") or [{"text": item.get("message") or item.get("text")}]
            role = "user" if kind == "usermessage" else "assistant"
            return [{"type": "message", "role": role, "content": content}]
        case "commandexecution":
            answer = {"output": item.get("aggregated_output"), "metadata": {"exit_code": code}}
            return [
                {"type": "function_call", "call_id": call, "arguments": item},
                {"type": "function_call_output", "call_id": call, "output": answer},
            ]
        case "filechange":
            changes = item.get("changes")
            names = [object_of(one).get("path", one) for one in changes or ()]
            patch = "\n".join(f"*** Update File: {name}" for name in names if text_of(name))
            return [{"type": "function_call", "call_id": call, "name": "patch", "input": patch}]
    return []


def arguments(payload: dict[str, Any]) -> dict[str, Any]:
    """Return a call's arguments, which are JSON in a string, or an action of a shell call."""
    given = payload.get("arguments", payload.get("action"))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return {}
    return given if isinstance(given, dict) else {}


def command(given: dict[str, Any]) -> str:
    """Return the command line of a call's arguments, without the shell that runs it."""
    line = given.get("command", given.get("cmd", ""))
    if isinstance(line, list):
        words = [word for word in line if isinstance(word, str)]
        shell = len(words) > 2 and words[1] in ("-c", "-lc")
        return words[2] if shell else " ".join(words)
    return text_of(line)


def plan(name: str, given: dict[str, Any]) -> tuple[PlanItem, ...] | None:
    """Return the task list that a call sets; None where it sets none."""
    steps = given.get("plan")
    if name != "update_plan" or not isinstance(steps, list):
        return None
    found = [step for step in steps if isinstance(step, dict) and text_of(step.get("step"))]
    return tuple(
        PlanItem(text=clean(text_of(s.get("step"))), status=name_of(s.get("status")) or "pending")
        for s in found
    )


def output(value: Any) -> tuple[str, int]:
    """Return what a tool answered and its exit code, 0 where none is given."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, dict):
        metadata = value.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        text = text_of(value.get("output")) or text_of(value.get("content"))
        return text, code if isinstance(code, int) else int(value.get("success") is False)
    text = words_of(value)
    found = _EXIT.search(text[:400])
    return text, int(found[1]) if found else 0
