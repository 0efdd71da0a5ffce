"""What a hook tells the client."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """The context to add for the agent, and a line that the client shows the person; or nothing.

    `denied` is why a tool may not act, or why a turn may not end.
    """

    context: str = ""
    message: str = ""
    denied: str = ""
