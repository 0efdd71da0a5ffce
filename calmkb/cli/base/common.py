"""What all commands share: error messages, exit codes, the requested knowledge base."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

import calmkb
from calmkb.errors import CalmError, TrustError

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.model import Problem

USERS_FAULT, OUR_FAULT, INTERRUPTED = 1, 3, 130
_FIXES = {
    errno.EACCES: "give yourself access to it, or choose another place",
    errno.ENOSPC: "make room on that disk",
    errno.ELOOP: "it is a link that leads to itself; put the file there",
}


class NothingSaved(CalmError):  # noqa: N818 - a choice, not an error
    """The person closed the editor without saving: the command ends as `git commit` does."""


def run(
    command: click.Command, args: Sequence[str] | None = None, *, person: bool | None = None
) -> int:
    """Run `command` and return the exit code: 1 the user's fault, 3 ours (logged), 130 ^C.

    `person` says whether someone is there to approve; None looks at the terminal.
    """
    try:
        result: Any = command.main(args=args, prog_name="calmkb", standalone_mode=False, obj=person)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except CalmError as error:
        if isinstance(error, TrustError) and _allowed_now(error):
            return run(command, args, person=person)
        _complain(str(error), label="" if isinstance(error, NothingSaved) else "Error:")
        return USERS_FAULT
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return USERS_FAULT
    except (KeyboardInterrupt, click.Abort) as abort:
        if isinstance(abort.__cause__, EOFError):  # no ^D at a prompt: click gives that no cause
            _report()
            return OUR_FAULT
        click.echo("Interrupted; nothing more was written.", err=True)
        return INTERRUPTED
    except Exception as error:
        _drop_output()
        if isinstance(error, BrokenPipeError):
            return 0  # the reader of our output left
        if refused := _refused(error):
            _complain(refused)
            return USERS_FAULT
        _report()
        return OUR_FAULT
    finally:
        _let_go_of_git()


def _drop_output() -> None:
    """Drop output that cannot be written: Python would complain of it once more at its exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ValueError:  # closed
        return


def _refused(error: Exception) -> str:
    """Return what the disk, a name or the output refused, in words; "" for a fault of ours."""
    error = getattr(error, "orig", error)  # what SQLAlchemy wraps
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        fix = _FIXES.get(error.errno or 0, "put that right, and give the command again")
        return f"{place}{(error.strerror or str(error)).lower()}; {fix}"
    if isinstance(error, UnicodeError):
        text = getattr(error, "object", "")
        return f"{text[:200]!r} is not in the encoding that is needed here: {error}; rename it"
    if type(error).__name__ in ("OperationalError", "DatabaseError"):
        return f"a database cannot be used: {error}; is its disk full, or the file a broken one?"
    return str(error) if str(error).startswith("Symlink loop") else ""  # as Path.resolve says


def _let_go_of_git() -> None:
    if opened := sys.modules.get("calmkb.kb.base.knowledge_base"):
        opened.close_git()


def _allowed_now(error: TrustError) -> bool:
    """Ask the person at the terminal for the missing approvals.

    Approvals come before any work, so that the command can begin again.
    """
    from calmkb.cli.base.choices import ask
    from calmkb.cli.base.person import no_person_at_terminal
    from calmkb.kb.base.approvals import NeedsApprovalError, approve

    if not isinstance(error, NeedsApprovalError) or no_person_at_terminal():
        return False
    try:
        if not all(ask(one) for one in error.requests):
            return False
    except (KeyboardInterrupt, click.Abort):
        return False
    approve(error.kb, error.requests)
    return True


def _complain(text: str, *, label: str = "Error:", color: str = "red") -> None:
    from calmkb.cli.base.layout import hanging
    from calmkb.cli.base.text import from_home

    said = f"{label} {_printable(_without_secrets(text))}".lstrip()
    at_terminal = sys.stdout.isatty() and sys.stderr.isatty()
    said = hanging(from_home(said)) if at_terminal else said
    head = click.style(label, fg=color, bold=True) if label else ""
    click.echo(said.replace(label, head, 1), err=True)


def _without_secrets(text: str) -> str:
    """Return `text` without what our own rules take for a secret: messages quote their input."""
    from calmkb.kb.text import redact_secrets  # only where something went wrong

    return redact_secrets(text)


def _printable(text: str) -> str:
    """Return `text` without the control characters that could steer a terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


def _report() -> None:
    """Write what is needed to fix a bug of ours to a log, without any of the user's data."""
    import platform  # these and their own imports cost every other call six milliseconds
    import traceback
    from datetime import UTC, datetime
    from pathlib import Path

    frames = traceback.format_exc()
    head = f"calmkb {calmkb.__version__}, Python {platform.python_version()}, {platform.platform()}"
    text = f"### {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {head}\n\n```\n{frames}```\n"
    text = _without_secrets(text.replace(str(Path.home()), "~"))
    path = Path.home() / ".calm" / "error.log"
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        click.echo(text, err=True)
        path = Path("the lines above")
    _complain(
        "unexpected error in calmkb (this is a bug); nothing more was written. "
        f"Please report it with {path}"
    )


def kb_from(
    context: click.Context, *, warns: bool = True, must_exist: bool = True
) -> "KnowledgeBase":
    """Return the knowledge base that `--kb`, the environment or the folder points to.

    When the command ends, it `warns` of what could not be read. Raises StoreError where one that
    was named does not exist, unless it need not: a mistyped name is not an empty journal.
    """
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.knowledge_base import open_kb, require_made

    environment = process_environment()
    if sys.stderr.isatty():
        from dataclasses import replace

        from calmkb.cli.base.progress import progress_line

        environment = replace(environment, report=progress_line(context))
    option = context.find_root().params.get("kb")
    kb = open_kb(environment, option=option)
    if must_exist and (option or environment.env.get("CALMKB_KB")):
        require_made(kb)
    if warns:
        context.call_on_close(lambda: warn_of_problems(kb.problems))
    return kb


def listed_kb(context: click.Context) -> "KnowledgeBase":
    """Return the knowledge base that a list reads, named where it is not that of the folder.

    It is named for a person alone: a program reads lists from a pipe.
    """
    kb = kb_from(context)
    named = context.find_root().params.get("kb") or kb.environment.env.get("CALMKB_KB")
    if (named or kb.is_personal) and sys.stdout.isatty():
        place = str(kb.root).replace(f"{kb.environment.home}/", "~/", 1)
        click.echo(click.style(f"Knowledge base: {_printable(place)}", dim=True), err=True)
    return kb


def warn(text: str) -> None:
    """Print a warning on standard error, where a program that reads the result does not see it."""
    if text:
        _complain(text, label="Warning:", color="yellow")


def warn_of_problems(problems: "Sequence[Problem]") -> None:
    """Warn in one line of what could not be read: nothing is skipped silently."""
    if not problems:
        return
    first, more = problems[0], len(problems) - 1
    others = f"; {more:,} more: calmkb check" if more else ""
    warn(f"{first.path}:{first.line}: {first.message}{others}")
