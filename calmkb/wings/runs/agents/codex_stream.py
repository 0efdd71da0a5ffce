"""`codex exec --json` as entries."""

import json
from collections.abc import Mapping
from typing import Any

from calmkb.wings.runs.agents.base import Outcome, Stream, read_event
from calmkb.wings.runs.usage import Usage, reported

_TOOLS = {"command_execution": "shell", "file_change": "apply_patch", "web_search": "web_search"}
_BAD = {"failed", "declined"}


class CodexJson(Stream):
    """Items become texts and tools, each tool a step; reasoning and unknown lines are skipped."""

    _usage = Usage()
    _is_over = False
    _error = ""

    async def line(self, text: str) -> None:
        """Handle one event."""
        event = read_event(text)
        kind, item = event.get("type"), event.get("item")
        if kind in ("item.started", "item.completed") and isinstance(item, dict):
            await self._item(item, ended=kind == "item.completed")
        elif kind == "turn.completed" and isinstance(event.get("usage"), dict):
            self._is_over = True
            self._usage += reported(event["usage"], cached="cached_input_tokens")
            await self._sink.usage(self._usage)
        elif kind in ("turn.failed", "error"):
            error = event.get("error")
            words = error.get("message") if isinstance(error, dict) else event.get("message")
            self._error = str(words or "it failed")

    async def _item(self, item: Mapping[str, Any], *, ended: bool) -> None:
        kind = str(item.get("type"))
        if kind == "agent_message" and ended:
            await self._say(str(item.get("text", "")))
        elif kind in _TOOLS or kind == "mcp_tool_call":
            await self._tool(kind, item, ended=ended)

    async def _tool(self, kind: str, item: Mapping[str, Any], *, ended: bool) -> None:
        name = _TOOLS.get(kind) or f"{item.get('server', '')}.{item.get('tool', '')}"
        call = str(item.get("id", ""))
        if call not in self._names:
            names = ("command", "changes", "query", "arguments")
            args = {key: item[key] for key in names if key in item}
            await self._tool_starts(name, call, args, key="arguments")
        if not ended:
            return
        result = item.get("aggregated_output", item.get("result", item.get("error")))
        output = result if isinstance(result, str) else json.dumps(result)
        good = str(item.get("status")) not in _BAD and item.get("exit_code") in (0, None)
        await self._tool_ends(call, output, success=good)
        await self._step_ends()

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return success where the turn completed and the program ended well."""
        good = self._is_over and not self._error
        return self._client_ended(code, stderr, success=good, error=self._error)
