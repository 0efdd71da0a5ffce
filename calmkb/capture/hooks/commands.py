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
QUEUED = ("PostToolUseFailure", "Stop", "SessionEnd")

# One file, made with O_EXCL (set -C): two shells with one number, in two containers that share a
# home, never overwrite each other. No rename, which would cost a second process: the beginning of a
# JSON object is not JSON, so a reader knows by that alone what is not finished. A file that a full
# disk left empty goes. What is not kept is read all the same: a client may take a closed pipe for a
# fault. A folder of the project is not taken: its settings may name one.
_SHELL = (
    ": calmkb hook {event}; {guard}exec >/dev/null 2>&1; umask 077; set -C; "
    'd="$HOME/.calm"; r=$REFLECTIONS_DIR; case "$r" in '
    '/*) [ "$CALMKB_CHILD" = 1 ] || mkdir -p -- "$r"; '
    'p=$(cd -P -- "$r" && pwd); case "$p/" in "$(pwd -P)"/*) ;; *) d=$r;; esac;; esac; '
    '[ "$d" = /.calm ] && d=; d="$d/queue"; n=0; '
    'if [ "$CALMKB_CHILD" != 1 ] && [ "$d" != /queue ] && '
    '{{ [ -d "$d" ] || mkdir -p -- "$d"; }}; then '
    "o=; while [ $n -lt 99 ]; do "
    'f="$d/{event}-$PPID-$$-$n.json"; if {{ o=1; cat; }} >"$f"; then exit 0; fi; '
    '[ -z "$o" ] || {{ rm -f -- "$f"; break; }}; '
    "n=$((n+1)); done; fi; cat; exit 0"
)

# One small program is all that runs where no check can fire: it prints what the client says, which
# is one line of JSON, only where a pattern is in it. `printf` is the shell's own.
_CHECK = (
    ": calmkb hook {event}; "
    'w="$HOME/.calm/checks.words"; '
    '[ -s "$w" ] || {{ cat >/dev/null; exit 0; }}; '
    'i=$(LC_ALL=C grep -E -f "$w") || exit 0; '
    "{guard}printf '%s\\n' \"$i\" | {program} hook {event}"
)

# A turn in which no file was edited costs one program too: the edits of a session are counted, and
# held against their number when a turn last ended. A path that JSON writes in another way (with a
# quotation mark in it) is not found by `grep`, and the question is asked.
_STOP = (
    ": calmkb hook {task}; i=$(cat); t=${{i#*'\"transcript_path\":'}}; t=${{t#*'\"'}}; "
    "t=${{t%%'\"'*}}; n=$(LC_ALL=C grep -cE "
    '\'"name": ?"(Edit|Write|MultiEdit|NotebookEdit)"\' -- "$t" 2>/dev/null); '
    '[ "$n" = 0 ] && exit 0; d="$HOME/.calm/turns"; f="$d/${{t##*/}}"; '
    '{{ read -r m <"$f"; }} 2>/dev/null && [ "$m" = "$n" ] && exit 0; {guard}'
    "o=$(printf '%s\\n' \"$i\" | {program} hook {task}); "
    'case $o in *\'"decision"\'*) ;; *) [ -z "$n" ] || ! [ -d "$d" ] || '
    '{{ umask 077; printf \'%s\\n\' "$n" >"$f"; }} 2>/dev/null; esac; '
    '[ -z "$o" ] || printf \'%s\\n\' "$o"; exit 0'
)

EDIT_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
WORK = rf'"role": ?"assistant".*("name": ?"({"|".join(EDIT_TOOLS)})"|git commit)'
"""What a line of a transcript has that may edit a file or commit."""
# At most twenty minutes of a session lie between two questions, and what was counted once is not
# looked at again: the usual end of a turn costs two small programs.
_ASK = (
    ': calmkb hook {task}; d="$HOME/.calm/asked"; '
    '[ -d "$d" ] && [ -z "$CI" ] || {{ cat >/dev/null; exit 0; }}; '
    "i=$(cat); t=${{i#*'\"transcript_path\":'}}; t=${{t#*'\"'}}; t=${{t%%'\"'*}}; "
    'f="$d/${{t##*/}}"; '
    'case $i in *\'"stop_hook_active":true\'*) [ -f "$f" ] || exit 0;; *) '
    '[ -f "$f" ] && [ -n "$(find "$f" -mmin -20)" ] && exit 0; '
    'n=$(LC_ALL=C grep -cE \'{work}\' -- "$t" 2>/dev/null); [ "$n" = 0 ] && exit 0; '
    '{{ read -r m <"$f"; }} 2>/dev/null && [ "$m" = "$n" ] && exit 0;; esac; '
    "{guard}printf '%s\\n' \"$i\" | {program} hook {task}"
)


def queue_command(event: str, program: str) -> str:
    """Return the command that queues what the client says of `event`; CalmError on another one.

    Where `program`, which takes the files in, is gone, nothing would ever read or remove them.
    """
    if event not in QUEUED:
        raise CalmError(f"{event!r} is not queued; choose from: {', '.join(QUEUED)}")
    if os.name == "nt":
        return python_command(event)
    return shell_command(event, program=shlex.quote(shlex.split(program)[0]))


def shell_command(event: str, *, program: str = "") -> str:
    """Return the command for a POSIX shell: it writes one file, in silence, and exits 0.

    It does nothing where `program`, which would take the files in, is gone.
    """
    return _SHELL.format(event=event, guard=_guard(program) if program else "")


def program_command(event: str, program: str) -> str:
    """Return the command that runs `program` for an event; nothing happens where it is gone."""
    if os.name == "nt":
        return f"{program} hook {event}"
    first = shlex.quote(shlex.split(program)[0])
    return f"{_guard(first)}{CLIENT_VARIABLE}=$PPID {program} hook {event}"


def check_command(event: str, program: str) -> str:
    """Return the command that runs `program` only where a check may fire, by its patterns."""
    if os.name == "nt":
        return program_command(event, program)
    return _CHECK.format(
        event=event, program=program, guard=_guard(shlex.quote(shlex.split(program)[0]))
    )


def stop_command(task: str, program: str) -> str:
    """Return the command that runs `program` at the end of a turn, where a file was edited."""
    if os.name == "nt":
        return program_command(task, program)
    return _STOP.format(
        task=task, program=program, guard=_guard(shlex.quote(shlex.split(program)[0]))
    )


def asking_command(task: str, program: str) -> str:
    """Return the command that runs `program` at the end of a turn, where there is new work."""
    if os.name == "nt":
        return program_command(task, program)
    first = shlex.quote(shlex.split(program)[0])
    return _ASK.format(task=task, program=program, guard=_guard(first), work=WORK)


def _guard(program: str) -> str:
    return f"command -v {program} >/dev/null 2>&1 || exit 0; "


def python_command(event: str) -> str:
    """Return the command for where there is no such shell."""
    program, script = Path(sys.executable).as_posix(), Path(calmkb.hook.__file__).as_posix()
    return f'"{program}" -I -S "{script}" {event}'
