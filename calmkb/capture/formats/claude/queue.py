"""What a person types while Claude Code is busy: queued, and slipped in between two calls."""

from collections.abc import Iterator

from calmkb.capture.formats.base import JsonObject

_LIMIT = 100


class Queue:
    """Follows the queue and yields the words that no user line repeats."""

    def __init__(self) -> None:
        self._waiting: list[str] = []

    def take(self, thing: JsonObject) -> list[str]:
        """Return the words that this line hands to the agent; none for most lines."""
        if thing.get("type") == "queue-operation":
            return self._operation(thing)
        return list(_attached(thing.get("attachment")))

    def _operation(self, thing: JsonObject) -> list[str]:
        operation, content = thing.get("operation"), thing.get("content")
        if operation == "enqueue":
            self._waiting = [*self._waiting, content if isinstance(content, str) else ""][-_LIMIT:]
            return []
        if operation == "popAll":  # back into the person's input line
            self._waiting = []
            return []
        first = self._waiting[:1]
        self._waiting = self._waiting[1:]
        # What is taken out by "dequeue" follows as a user line of its own.
        return first if operation == "remove" else []


def _attached(attachment: object) -> Iterator[str]:
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    prompt = attachment.get("prompt")
    for block in prompt if isinstance(prompt, list) else [prompt]:
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str):
            yield text
