"""What a model reads about an error: which argument it was, and what its tools can do about it."""

import difflib
import re
from collections.abc import Iterable

from mcp.types import Tool
from pydantic import ValidationError

_TOOLS = {
    "find ids with: calmkb search WORDS": "find ids with search",
    "list them with: calmkb session list": "list them with list_journal_entries",
    " (next_steps, --next)": " in next_steps",
    ", or of signals, as `calmkb signal query` shows them": "",
}
"""Advice for a terminal, and the same for a model."""
_COMMAND = re.compile(r"\bcalmkb (?!reflect\b)[a-z]|(?<!\S)[`(]?--[a-z]")
"""Advice that is dropped; an agent may tell its person of `calmkb reflect`, where they decide."""


def in_tool_words(message: str) -> str:
    """Return an error without advice that only a terminal can follow."""
    for there, here in _TOOLS.items():
        message = message.replace(there, here)
    first, *more = message.split("; ")
    return "; ".join([first, *(part for part in more if not _COMMAND.search(part))])


def unknown_arguments(given: Iterable[str], tool: Tool) -> str:
    """Return the words on the arguments that a tool does not have, or nothing."""
    known = list(tool.input_schema["properties"])
    words = []
    for argument in given:
        if argument not in known:
            near = difflib.get_close_matches(argument, known, n=1)
            words.append(f"{argument[:80]!r}" + (f" (did you mean {near[0]}?)" if near else ""))
    if not words:
        return ""
    return f"{tool.name} has no argument {', '.join(words[:5])}; it takes {', '.join(known)}"


def wrong_arguments(name: str, error: ValidationError) -> str:
    """Return the words on each argument that is wrong."""
    problems = [
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return f"{name} was called with wrong arguments: {'; '.join(problems)}"
