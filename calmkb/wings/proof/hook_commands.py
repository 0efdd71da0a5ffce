"""The hooks of checks and recall: a shell starts a program only where one of them may answer."""

import shlex
import sys
from pathlib import Path

from calmkb import recall
from calmkb.capture.hooks.commands import conditional_command
from calmkb.capture.settings.hooks import Hook, blocking_hook

_TOOLS = "Bash|PowerShell|Write|Edit|MultiEdit|NotebookEdit"

# Two small programs are all that runs where no check can fire and no memory is about the call: they
# print what the client says only where a pattern is in it. `printf` is the shell's own. What a
# check says goes before what is recalled.
_CHECK = (
    ": calmkb hook {event}; {own}"
    'd="$HOME/.calm"; c="$d/checks.words"; a="$d/acts.words"; set --; '
    '[ -s "$c" ] && set -- -f "$c"; [ -s "$a" ] && set -- "$@" -f "$a"; '
    "[ $# = 0 ] && {{ {read} >/dev/null; exit 0; }}; "
    'i=$({read} | LC_ALL=C grep -E "$@") || exit 0; {guard}o=; '
    'if [ -s "$c" ] && printf \'%s\\n\' "$i" | LC_ALL=C grep -qE -f "$c"; then '
    "o=$(printf '%s\\n' \"$i\" | {program} hook {event}); fi; "
    'if [ -n "$o" ]; then printf \'%s\\n\' "$o"; elif [ -s "$a" ] && [ -f {script} ]; then '
    "printf '%s\\n' \"$i\" | {python} -I -S {script}; fi; exit 0"
)

# A turn in which no file was edited costs one program too: the edits of a session are counted, and
# held against their number when a turn last ended. A path that JSON writes in another way (with a
# quotation mark in it) is not found by `grep`, and the question is asked.
_STOP = (
    ": calmkb hook {event}; {own}i=$({read}); t=${{i#*'\"transcript_path\":'}}; t=${{t#*'\"'}}; "
    "t=${{t%%'\"'*}}; n=$(LC_ALL=C grep -cE "
    '\'"name": ?"(Edit|Write|MultiEdit|NotebookEdit)"\' -- "$t" 2>/dev/null); '
    '[ "$n" = 0 ] && exit 0; d="$HOME/.calm/turns"; f="$d/${{t##*/}}"; '
    '{{ read -r m <"$f"; }} 2>/dev/null && [ "$m" = "$n" ] && exit 0; {guard}'
    "o=$(printf '%s\\n' \"$i\" | {program} hook {event}); "
    'case $o in *\'"decision"\'*) ;; *) [ -z "$n" ] || ! [ -d "$d" ] || '
    '{{ umask 077; printf \'%s\\n\' "$n" >"$f"; }} 2>/dev/null; esac; '
    '[ -z "$o" ] || printf \'%s\\n\' "$o"; exit 0'
)


def check_hook(program: str, *, reads: bool) -> Hook:
    """Return the hook that asks before a tool acts, or `reads` too."""
    matcher = f"{_TOOLS}|Read|Grep|Glob" if reads else _TOOLS
    return blocking_hook("PreToolUse", check_command(program), matcher=matcher)


def check_command(program: str) -> str:
    """Return the command that runs `program` only where a check may fire, by its patterns.

    Else `calmkb.recall` says what the call is about.
    """
    python, script = (Path(one).as_posix() for one in (sys.executable, recall.__file__))
    quoted = {"python": shlex.quote(python), "script": shlex.quote(script)}
    return conditional_command(_CHECK, "PreToolUse", program, **quoted)


def stop_command(program: str) -> str:
    """Return the command that runs `program` at the end of a turn in which files were edited."""
    return conditional_command(_STOP, "StopCheck", program)
