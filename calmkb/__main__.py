"""The program: `calmkb` and `python -m calmkb`."""

import errno
import os
import stat
import sys

from calmkb.cli.base.quick import ran

_NAMED_BY_A_PERSON = ("/dev/fd/", "/dev/null", "/dev/pt", "/dev/std", "/dev/tty", "/proc/")
"""A terminal, or the output of another program."""
_PLACES = frozenset(
    """CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME GEMINI_CLI_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM
    GIT_EXEC_PATH GNUPGHOME PRIVATE_JOURNAL_PATH TMPDIR XDG_CONFIG_HOME XDG_DATA_HOME""".split()
)
_PROGRAMS = frozenset("EDITOR GIT_SSH GIT_SSH_COMMAND LESSOPEN PAGER SSH_ASKPASS VISUAL".split())


def main() -> None:
    """Run the command line and exit with its code."""
    _open_what_is_closed()
    if os.name == "posix":  # elsewhere no folder holds a pipe, and a console is no file
        sys.addaudithook(_refuse_pipes)
    _leave_out_what_a_clone_sets()
    if ran(sys.argv[1:]):
        return
    from calmkb.cli.base.common import run
    from calmkb.cli.root import calmkb

    sys.exit(run(calmkb))


def _open_what_is_closed() -> None:
    """Open a standard stream that is closed: a file opened later would take its number.

    What is printed to a closed output fails, as on a full disk.
    """
    for name, mode, flags in (
        ("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY),
    ):  # fmt: skip
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))


def _leave_out_what_a_clone_sets() -> None:
    """Hear of no place in the project, and under an agent, whose client may say so, no program."""
    from calmkb.hook import agent_mark, is_of_project

    env, home = os.environ, os.path.expanduser("~")  # noqa: PTH111 - as the state folder is found
    # Programs are named there, and what was approved: a client sets it as its project says.
    marked = os.name == "posix" and agent_mark(env)
    if home and (not os.path.isabs(home) or (marked and _is_brought(home))):  # noqa: PTH117
        print(f"Error: HOME names {home}, which is in the project; unset it", file=sys.stderr)
        sys.exit(1)
    for name in _PLACES & env.keys():
        place = os.path.expanduser(env[name])  # noqa: PTH111 - nothing need be there
        if not os.path.isabs(place) or is_of_project(place, home, "."):  # noqa: PTH117
            print(f"{name} is left out: it names a place in the project", file=sys.stderr)
            del env[name]
    if env.get("GEMINI_CLI") and env.get("GIT_CONFIG_GLOBAL") == os.devnull:
        del env["GIT_CONFIG_GLOBAL"]  # it hides the person's name from what its shell runs
    for name in list(env) if agent_mark(env) else ():
        if name in _PROGRAMS or name.startswith("OTEL_EXPORTER_"):
            del env[name]


def _is_brought(home: str) -> bool:
    """Return whether HOME lies in the clone here, and the user of the system has another home."""
    import pwd

    from calmkb.hook import is_of_project

    try:
        own = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a container's user without a name
        return False
    here = os.path.realpath(".") + os.sep
    tops = (here[:end] for end, sign in enumerate(here) if sign == os.sep)
    return any(os.path.lexists(f"{top}/.git") for top in tops) and is_of_project(home, own, ".")


def _refuse_pipes(event: str, args: "tuple[object, ...]") -> None:
    """Refuse what is no plain file in the place of one, in libraries too: a pipe never ends."""
    name = args[0] if event == "open" else None
    if not isinstance(name, str) or name.endswith(".pyc") or name.startswith(_NAMED_BY_A_PERSON):
        return
    try:
        mode = os.stat(name).st_mode  # noqa: PTH116 - pathlib takes longer than a hook may
    except (OSError, ValueError):
        return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "Not a plain file", name)


if __name__ == "__main__":
    main()
