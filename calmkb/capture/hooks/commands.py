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

EDIT_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
WORK = rf'"role": ?"assistant".*("name": ?"({"|".join(EDIT_TOOLS)})"|git commit)'
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


def check_command(event: str, program: str) -> str:
    """Return the command that runs `program` only where a check may fire, by its patterns.

    Else `calmkb.recall` says what the call is about.
    """
    if os.name == "nt":
        return program_command(event, program)
    from calmkb import recall

    python, script = (
        shlex.quote(Path(one).as_posix()) for one in (sys.executable, recall.__file__)
    )
    return _filled(_CHECK, event, program, python=python, script=script)


def stop_command(task: str, program: str, work: str = "") -> str:
    """Return the command that runs `program` at the end of a turn: where files were edited.

    With `work`, a pattern of lines in a log, where such lines are new, at most every 20 minutes.
    """
    if os.name == "nt":
        return program_command(task, program)
    return _filled(_ASK if work else _STOP, task, program, work=work)


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
