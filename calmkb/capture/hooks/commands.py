"""The commands that a client runs for its hottest hooks: they only queue, and cost next to nothing.

A shell that writes one file takes a quarter of the time in which an interpreter starts. The text
names no place of this machine, so it still works when calmkb is moved, upgraded or gone.
"""

import os
import shlex
import sys
from pathlib import Path

import calmkb.hook
from calmkb.errors import CalmError

CLIENT_VARIABLE = "CALMKB_CLIENT_PID"
"""Where a hook's shell leaves the process id of the client."""
NOT_FOUND = (
    '{"systemMessage": "calmkb was not found: its hooks do nothing. Install it again, or remove '
    'them from the settings of Claude Code."}'
)
QUEUED = ("PostToolUseFailure", "Stop", "SessionEnd")

# The client says one line of JSON; others may lay an object out. What ends it ends the reading, as
# some leave the pipe open.
_READ = "LC_ALL=C sed -e '/^{/{/}$/q' -e '}' -e '/^}$/q'"
OWN_HOME = (
    'cd -P . 2>/dev/null; p=$PWD w=$PWD; case $HOME in /*) cd -P -- "$HOME" 2>/dev/null || HOME=;; '
    '*) HOME=;; esac; h=$PWD; cd -- "$w" 2>/dev/null; while [ "$p" ]; do case $h in "$p"/?*) '
    '[ -e "$p/.git" ] && HOME=;; esac; p=${p%/*}; done; '
)
"""For a shell: no home where HOME lies in the clone, whose settings may name it."""

# One file, made with O_EXCL (set -C): two shells with one number, in two containers that share a
# home, never overwrite each other. No rename, which would cost a second process: the beginning of a
# JSON object is not JSON, so a reader knows by that alone what is not finished. A file that a full
# disk left empty goes. What is not kept is read all the same: a client may take a closed pipe for a
# fault. A folder of the project is not taken: its settings may name one.
_SHELL = (
    ": calmkb hook {event}; {own}{guard}exec >/dev/null 2>&1; umask 077; set -C; "
    'd="$HOME/.calm"; r=$REFLECTIONS_DIR; case "$r" in '
    '/*) [ "$CALMKB_CHILD" = 1 ] || mkdir -p -- "$r"; '
    'p=$(cd -P -- "$r" && pwd); case "$p/" in "$(pwd -P)"/*) ;; *) d=$r;; esac;; esac; '
    '[ "$d" = /.calm ] && d=; d="$d/queue"; n=0; '
    'if [ "$CALMKB_CHILD" != 1 ] && [ "$d" != /queue ] && '
    '{{ [ -d "$d" ] || mkdir -p -- "$d"; }}; then '
    "o=; while [ $n -lt 99 ]; do "
    'f="$d/{event}-$PPID-$$-$n.json"; if {{ o=1; {read}; }} >"$f"; then exit 0; fi; '
    '[ -z "$o" ] || {{ rm -f -- "$f"; break; }}; '
    "n=$((n+1)); done; fi; {read}; exit 0"
)


def queue_command(event: str, program: str) -> str:
    """Return the command that queues what the client says of `event`; CalmError on another one.

    Where `program`, which takes the files in, is gone, nothing would ever read or remove them.
    """
    if event not in QUEUED:
        raise CalmError(f"{event!r} is not queued; choose from: {', '.join(QUEUED)}")
    if os.name == "nt":
        return python_command(event)
    return shell_command(event, program=program)


def shell_command(event: str, *, program: str = "") -> str:
    """Return the command for a POSIX shell: it writes one file, in silence, and exits 0.

    It does nothing where `program`, which would take the files in, is gone.
    """
    return _filled(_SHELL, event, program)


def program_command(event: str, program: str) -> str:
    """Return the command that runs `program` for an event; where it is gone, a start says so."""
    if os.name == "nt":
        return f"{program} hook {event}"
    gone = f"{{ echo '{NOT_FOUND}'; exit 0; }}" if event == "SessionStart" else "exit 0"
    return f"{_guard(program, gone)}{CLIENT_VARIABLE}=$PPID {program} hook {event}"


def conditional_command(template: str, task: str, program: str, **more: str) -> str:
    """Return the command that runs `program` only where the shell of `template` sees a reason.

    It has places for `event`, `own` (`OWN_HOME`), `read`, which prints what the client says,
    `guard`, which leaves where the program is gone, `program`, and `more`.
    """
    if os.name == "nt":
        return program_command(task, program)
    return _filled(template, task, program, **more)


def _filled(template: str, event: str, program: str, **more: str) -> str:
    guard = _guard(program) if program else ""
    common = {"event": event, "program": program, "own": OWN_HOME, "read": _READ, "guard": guard}
    return template.format(**common, **more)


def _guard(program: str, gone: str = "exit 0") -> str:
    first = shlex.quote(shlex.split(program)[0])
    return f"command -v {first} >/dev/null 2>&1 || {gone}; "


def python_command(event: str) -> str:
    """Return the command for where there is no such shell."""
    program, script = Path(sys.executable).as_posix(), Path(calmkb.hook.__file__).as_posix()
    return f'"{program}" -I -S "{script}" {event}'
