"""Tool calls joined with their answers, and shell commands brought to the form one talks about."""

import re
from dataclasses import dataclass

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Transcript, Turn

EDITS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
SHELLS = frozenset({"Bash", "PowerShell", "shell"})

_CD = re.compile(r"^(?:cd|pushd)\s+(?:\"[^\"]*\"|'[^']*'|\S+)\s*(?:&&|;)\s*")
_EXPORT = re.compile(r"^(?:export\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)\s*(?:(?:&&|;)\s*)?")
_MESSAGE = re.compile(r"(\bgit commit\b.*?) -\w*m(?: |=)?[\"'$].*$")
_TAIL = re.compile(
    r"\s*(?:\d?>&\d|\d?>\s*/dev/null|\|\s*(?:head|tail|less|cat|tee)\b[^|&;]*"
    r"|\|\|\s*(?:true|:)|;\s*echo\b[^;|&]*)\s*$"
)
_LOOKING = re.compile(
    r"^(?:ls|cat|head|tail|grep|rg|find|fd|echo|pwd|which|wc|sed -n|tree|stat|file|diff|jq|sleep"
    r"|git (?:status|log|diff|show|branch|remote|rev-parse|ls-files|blame|grep)"
    r"|docker (?:ps|logs|images|inspect|compose (?:ps|logs))|gh (?:pr|run|issue) (?:view|list"
    r"|checks)"
    r"|test|\[|cd|ps|env|printenv|node -v|python3? --version)\b"
)
COMMAND_LIMIT = 80


@dataclass(frozen=True, slots=True)
class Attempt:
    """One tool call with its answer."""

    tool: str
    command: str
    failed: bool
    output: str
    kind: str
    is_sidechain: bool
    place: int

    @property
    def is_shell(self) -> bool:
        """Tell a shell command from every other tool."""
        return self.tool in SHELLS

    @property
    def only_looks(self) -> bool:
        """Tell commands that read and change nothing: they neither break nor fix."""
        return _LOOKING.match(self.command) is not None


def attempts(transcript: Transcript) -> list[Attempt]:
    """Return the answered tool calls in the order of their answers."""
    calls: dict[str, Turn] = {}
    found: list[Attempt] = []
    for place, turn in enumerate(transcript.turns):
        if turn.kind == "call":
            calls[turn.tool_use_id] = turn
        elif turn.role == "tool":
            call = calls.get(turn.tool_use_id)
            found.append(
                Attempt(
                    tool=turn.tool,
                    command=short_command(call.text) if call else "",
                    failed=turn.failed,
                    output=turn.text,
                    kind=turn.kind,
                    is_sidechain=turn.is_sidechain,
                    place=place,
                )
            )
    return found


def short_command(command: str) -> str:
    """Return the command without change of folder, variables, redirections and pagers."""
    command = re.split(r"<<-?\s*['\"]?\w+", command)[0]
    command = one_line(command.replace("\\\n", " "))
    while (shorter := _EXPORT.sub("", _CD.sub("", command, count=1), count=1)) != command:
        command = shorter
    while (shorter := _TAIL.sub("", command)) != command:
        command = shorter
    return _MESSAGE.sub(r"\1", command).strip()


def shown(command: str) -> str:
    """Return the command as a span of code, short enough for a sentence."""
    return f"`{clip(command.replace('`', chr(39)), COMMAND_LIMIT)}`"


def tool_name(name: str) -> str:
    """Return a tool's own name: `mcp__server__tool` without its prefix."""
    return name.rsplit("__", 1)[-1] if name.startswith("mcp__") else name
