"""Hook inputs in the schema of the client, and a session that it might have recorded."""

from datetime import UTC, datetime
from typing import Any

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SESSION = "7d1c7d0e-3f52-4b0c-9a55-0d7f6f1c2a10"
SECRET = "gh" + "p_" + "Zk2vX9qLmN7bRt4W" * 2 + "ABcd"


def payload(event: str, **more: Any) -> dict[str, Any]:
    """Return what the client says of an event."""
    said = {
        "session_id": SESSION,
        "transcript_path": "/nowhere/session.jsonl",
        "cwd": "/srv/storefront",
        "prompt_id": "0a9c1f6e-95a1-4c86-8d3b-7b1f57d1f3ce",
        "permission_mode": "default",
        "hook_event_name": event,
    }
    return said | more


def failure(use: str = "toolu_01", **more: Any) -> dict[str, Any]:
    """Return what the client says of a tool that failed."""
    said = {
        "tool_name": "Bash",
        "tool_input": {"command": "pnpm test", "description": "run the tests"},
        "tool_use_id": use,
        "error": "Exit code 1\n> storefront@1.0.0 test\nTypeError: cart.total is not a function\n",
        "is_interrupt": False,
        "duration_ms": 202,
    }
    return payload("PostToolUseFailure", **said | more)


def fields(content: str = "use pnpm, not npm", **more: Any) -> dict[str, Any]:
    """Return a signal as somebody would give it."""
    return {"type": "correction", "session_id": SESSION, "content": content, **more}


def said_by(role: str, content: Any, number: int, cwd: str = "/srv/storefront") -> dict[str, Any]:
    """Return one line of a transcript."""
    return {
        "type": role,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "sessionId": SESSION,
        "cwd": cwd,
        "timestamp": f"2026-11-20T10:{number:02}:00.000Z",
        "message": {"role": role, "content": content},
    }


def call(name: str, number: int, **given: Any) -> list[dict[str, Any]]:
    """Return a tool call and its answer."""
    use = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}
    done = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "done"}
    return [said_by("assistant", [use], number), said_by("user", [done], number)]


def session_lines() -> list[dict[str, Any]]:
    """Return a session in which a person corrects the agent and sets a rule."""
    edited = "/srv/storefront/src/cart.ts"
    return [
        said_by("user", "Add the coupon field to the cart.", 1),
        said_by("assistant", [{"type": "text", "text": "I will install it with npm."}], 2),
        *call("Bash", 3, command="npm install", description="install"),
        said_by("user", "No, use pnpm instead of npm in this project.", 4),
        *call("Edit", 5, file_path=edited, old_string="a", new_string="b"),
        *call("Bash", 6, command="pnpm install", description="install"),
        said_by("assistant", [{"type": "text", "text": "Done with pnpm."}], 7),
    ]
