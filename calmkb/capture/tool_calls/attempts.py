"""Tool calls joined with their answers, each answered call once."""

import re
from dataclasses import dataclass
from datetime import datetime

from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.tool_calls import commands
from calmkb.capture.tool_calls.commands import LIMIT, short_command
from calmkb.capture.tool_calls.error_line import ends_in_failure, is_noise

EDITS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
SHELLS = frozenset({"Bash", "PowerShell", "shell"})

# Said before a call: the agent looks whether a new test fails, or shows a fault once more.
_EXPECTED = re.compile(
    r"\b(?:should|must|will|to|it|they|tests?|expect\w*|confirm\w*|verify\w*|see|watch) "
    r"(?:now |still |first |currently |it |they |them |to |the tests? |that )*fails?\b"
    r"|\breproduc\w+|\bexpected to fail",
    re.IGNORECASE,
)
_BEFORE = 400


@dataclass(frozen=True, slots=True)
class Attempt:
    """One tool call with its answer.

    `command` is fit to be shown, `task` what was typed; `prompt` counts what the person said
    before, and `expected` says that the agent meant it to fail.
    """

    tool: str
    command: str
    failed: bool
    output: str
    kind: str
    is_sidechain: bool
    place: int
    task: str = ""
    prompt: int = 0
    line: int = 0
    at: datetime | None = None
    expected: bool = False
    files: tuple[str, ...] = ()
    root: str = ""
    use_id: str = ""

    @property
    def is_shell(self) -> bool:
        """Return whether the call is a shell command."""
        return self.tool in SHELLS

    @property
    def is_edit(self) -> bool:
        """Return whether the call changed a file."""
        return self.tool in EDITS and not self.failed

    @property
    def ran(self) -> bool:
        """Return whether the call was carried out, not refused, cancelled or a slip."""
        return self.kind == "result" and not (self.failed and is_noise(self.output))

    @property
    def only_looks(self) -> bool:
        """Return whether it only reads: such commands neither break nor fix."""
        return commands.only_looks(self.task)


def attempts(transcript: Transcript) -> list[Attempt]:
    """Return the answered tool calls in the order of their answers."""
    calls: dict[str, tuple[Turn, str]] = {}
    answered: set[str] = set()
    found: list[Attempt] = []
    prompt, words = 0, ""
    for place, turn in enumerate(transcript.turns):
        if turn.kind == "call":
            calls[turn.tool_use_id] = (turn, words)
            words = ""
        elif turn.role == "agent":
            words = turn.text[-_BEFORE:]
        elif turn.role == "tool":
            if turn.tool_use_id in answered:
                continue
            answered.update([turn.tool_use_id] if turn.tool_use_id else [])
            call, before = calls.get(turn.tool_use_id, (None, ""))
            found.append(_attempt(transcript, place, call, prompt, before))
        elif turn.role == "person" or turn.kind == "interruption":
            prompt += 1
    return found


def _attempt(
    transcript: Transcript, place: int, call: Turn | None, prompt: int, before: str
) -> Attempt:
    turn = transcript.turns[place]
    text = call.text if call else ""
    shell = turn.tool in SHELLS
    # Of a command that was cut off nobody can say whether another one is the same.
    cut = f"\0{place}" if text.endswith("…") else ""
    hidden = shell and not turn.failed and turn.kind == "result" and commands.hides_its_end(text)
    failed = turn.failed or (hidden and ends_in_failure(turn.text))
    return Attempt(
        tool=turn.tool,
        command=short_command(text, transcript.working_directory) if shell else text,
        failed=failed,
        output=turn.text,
        kind=turn.kind,
        is_sidechain=turn.is_sidechain,
        place=place,
        task=(commands.task_of(text) if shell else text) + cut,
        prompt=prompt,
        line=turn.line,
        at=turn.timestamp,
        expected=failed and _EXPECTED.search(before) is not None,
        files=call.files if call else (),
        root=transcript.working_directory,
        use_id=turn.tool_use_id,
    )


def shown(command: str, task: str = "") -> str:
    """Return the command as a span of code; a long one is named by its program, never cut."""
    if 0 < len(command) <= LIMIT and "`" not in command:
        return f"`{command}`"
    name = commands.program(task or command).replace("`", "")
    return f"a long `{name}` command" if name else "a command"


def tool_name(name: str) -> str:
    """Return a tool's own name: `mcp__server__tool` without its prefix."""
    return name.rsplit("__", 1)[-1] if name.startswith("mcp__") else name
