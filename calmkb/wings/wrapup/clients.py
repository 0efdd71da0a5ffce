"""The clients whose agents are asked: the hook of each, its settings, and its way to go on."""

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.capture.formats.base import codex_home, gemini_home
from calmkb.capture.formats.claude import claude_home
from calmkb.capture.hooks.commands import conditional_command
from calmkb.capture.hooks.messages import marked
from calmkb.capture.settings.hooks import Hook, blocking_hook
from calmkb.kb.base.environment import Environment
from calmkb.kb.hooks.answer import HookAnswer
from calmkb.wings.wrapup.work import EDIT_TOOLS

_WORK = rf'"role": ?"assistant".*("name": ?"({"|".join(EDIT_TOOLS)})"|git commit)'
"""What a line of a transcript has that may edit a file or commit."""
# At most twenty minutes of a session lie between two questions, and what was counted once is not
# looked at again: the usual end of a turn costs two small programs.
_ASK = (
    ': calmkb hook {event}; {own}d="$HOME/.calm/asked"; '
    '[ -d "$d" ] && [ -z "$CI" ] || {{ {read} >/dev/null; exit 0; }}; '
    "i=$({read}); t=${{i#*'\"transcript_path\":'}}; t=${{t#*'\"'}}; t=${{t%%'\"'*}}; "
    'f="$d/${{t##*/}}"; '
    'case $i in *\'"stop_hook_active":true\'*) [ -f "$f" ] || exit 0;; *) '
    '[ -f "$f" ] && [ -n "$(find "$f" -mmin -20)" ] && exit 0; '
    'n=$(LC_ALL=C grep -cE \'{work}\' -- "$t" 2>/dev/null); [ "$n" = 0 ] && exit 0; '
    '{{ read -r m <"$f"; }} 2>/dev/null && [ "$m" = "$n" ] && exit 0;; esac; '
    "{guard}printf '%s\\n' \"$i\" | {program} hook {event}"
)
_CODEX_WORK = (
    '"type": ?"(custom_tool_call|function_call|local_shell_call|FileChange|CommandExecution)"'
    '.*(apply_patch|"changes"|git commit)'
)
_GEMINI_WORK = '"toolCalls":.*("name": ?"(write_file|replace)"|git commit)'


@dataclass(frozen=True, slots=True)
class Client:
    """A client: its agent as transcripts name it, its own name, and what its hook is about.

    `pattern` is what a line of its log has that may be work, `settings` the file of its hooks.
    """

    agent: str
    name: str
    task: str
    pattern: str
    settings: Callable[[Environment], Path]
    hook: Callable[[str], Hook]
    asks: Callable[[str], HookAnswer]
    """Makes a question an answer that keeps the agent going for one more turn."""
    first: str = ""
    """What a person has to do before the client runs the hook."""

    def is_here(self, environment: Environment) -> bool:
        """Return whether a person has the client: it keeps its settings in a folder of its own."""
        return self.settings(environment).parent.is_dir()


def ask_command(task: str, program: str, work: str) -> str:
    """Return the command that runs `program` at the end of a turn where a log has new work.

    `work` is a pattern of its lines. It runs at most every 20 minutes.
    """
    return conditional_command(_ASK, task, program, work=work)


def _codex_hook(program: str) -> Hook:
    command = ask_command("WrapupCodex", program, _CODEX_WORK)
    # It runs a hook in the person's own shell, which may be none of POSIX.
    return blocking_hook("Stop", command if os.name == "nt" else f"sh -c {shlex.quote(command)}")


def _gemini_hook(program: str) -> Hook:
    hook = blocking_hook("AfterAgent", ask_command("WrapupGemini", program, _GEMINI_WORK))
    milliseconds = hook.handler["timeout"] * 1000
    shown = {"name": "calmkb", "timeout": milliseconds}  # else the screen shows the command
    return replace(hook, handler=hook.handler | shown)


CLAUDE = Client(
    "claude-code", "Claude Code", "WrapupCheck", _WORK,
    lambda around: claude_home(around.home, around.env) / "settings.json",
    lambda program: blocking_hook("Stop", ask_command("WrapupCheck", program, _WORK)),
    HookAnswer,
)  # fmt: skip
CODEX = Client(
    "codex", "Codex", "WrapupCodex", _CODEX_WORK,
    lambda around: codex_home(around.home, around.env) / "hooks.json",
    _codex_hook, lambda words: HookAnswer(denied=words),
    first="At its next start Codex asks you to trust the hook. In its sandbox only the MCP server "
    "can write: calmkb agents mcp install --client codex",
)  # fmt: skip
GEMINI = Client(
    "gemini", "Gemini CLI", "WrapupGemini", _GEMINI_WORK,
    lambda around: gemini_home(around.home, around.env) / "settings.json",
    # It writes the question down as a person's words: the marks tell who said them.
    _gemini_hook, lambda words: HookAnswer(denied=marked(words)),
)  # fmt: skip
OTHERS = (CODEX, GEMINI)
