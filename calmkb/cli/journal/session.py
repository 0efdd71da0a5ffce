"""`calmkb session`: what the journal holds."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from, listed_kb, warn
from calmkb.cli.base.json_io import json_option, json_text
from calmkb.cli.base.layout import hanging, print_paged
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import bullet, clip, terminal_width, visible
from calmkb.model import CONTENT

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Detail, Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.journal.listing import SessionRow
    from calmkb.model import SessionView

_SHOW = "calmkb.cli.journal.show:show"
_CONTINUATION = "calmkb.cli.journal.continuation"
_COMMANDS = {
    "show": (_SHOW, ""),  # these are in `show`, `next` and `reflect`
    "of": (_SHOW, ""),
    "reflect": ("calmkb.cli.reflect.reflect:reflect", ""),
    "pending": (f"{_CONTINUATION}:pending", ""),
    "write": (
        "calmkb.cli.journal.background:write",
        "Write ended sessions with the program you chose.",
    ),
    "resume": (f"{_CONTINUATION}:resume", ""),
    "forget": ("calmkb.wings.archive.commands.forget:forget_session", "Take a session out."),
}
_TIME = "%Y-%m-%d %H:%M:%S"


@click.group(cls=LazyGroup, table=_COMMANDS)
def session() -> None:
    """List sessions, and write those that ended."""


@session.command("list")
@click.option("--unreflected", is_flag=True, help="Only those that no reflection has covered.")
@click.option("--project", help="Only this project.")
@click.option("--working-directory", metavar="FOLDER", help="Only this folder.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
@json_option
@click.pass_context
def list_command(
    context: click.Context,
    unreflected: bool,
    project: str | None,
    working_directory: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List sessions, newest first; * marks those not reflected on yet."""
    from calmkb.kb.journal.listing import SessionFilter, session_rows

    wanted = SessionFilter(unreflected, project, working_directory, limit)
    found, _ = session_rows(listed_kb(context), wanted)
    if as_json:
        click.echo(json_text({"entries": [vars(row) for row in found], "count": len(found)}))
    elif not found:
        click.echo("No journal entries found.")
    else:
        print_paged(_table(found))


@session.command()
@click.argument("session")
@click.argument("name")
@click.pass_context
def rename(context: click.Context, session: str, name: str) -> None:
    """Call SESSION NAME in lists and on the site; an empty NAME takes the name away.

    SESSION begins an entry's id.
    """
    from calmkb.kb.journal.project_names import rename_session

    entry = rename_session(kb_from(context), session, name)
    click.echo(f"{entry.id[:8]} is called: {clip(entry.title or entry.summary, 60)}")


def page(kb: "KnowledgeBase", identity: str, detail: "Detail") -> "Page":
    """Return one session, as `show` shows it."""
    from calmkb.kb.journal.session_commits import commit_lines
    from calmkb.kb.journal.sessions import get_session

    view = get_session(kb, identity)
    row, text = _fields(view), hanging(_shown(view, commit_lines(kb, view.entry.commits)))
    if detail.log or detail.full:
        log = _log_text(view, full=detail.full)
        row, text = row | {"session_log": log}, text if log is None else f"{text}\n\nLog:\n{log}"
    return row, text


def commit_page(kb: "KnowledgeBase", name: str, detail: "Detail") -> "Page | None":
    """Return the session that made a commit."""
    from calmkb.cli.journal.show import record_page
    from calmkb.kb.journal.session_commits import session_of

    return record_page(kb, session_of(kb, name).entry.id, detail)


def _fields(view: "SessionView") -> dict[str, object]:
    entry = view.entry
    return {
        "id": entry.id,
        "created_at": entry.created_at.isoformat(),
        **{name: getattr(entry, name) for name in CONTENT},
        "session_log_path": view.log_path,
        "replaced_by": view.replaced_by or None,
        "reflected_at": view.reflected_at.isoformat() if view.reflected_at else None,
        "memories_created": view.memories_created,
    }


def _table(rows: "tuple[SessionRow, ...]") -> str:
    width = terminal_width()
    project = max(7, *(min(20, len(row.project_name)) for row in rows))
    left = 2 + 8 + 2 + 19 + 2 + project + 2
    lines = [f"  {'ID':8}  {'Created':19}  {'Project':{project}}  Summary"]
    for row in rows:
        mark = "*" if row.reflected_at is None else " "
        name, called = clip(row.project_name, project), clip(row.title or row.summary, width - left)
        created = datetime.fromisoformat(row.created_at).strftime(_TIME)
        lines.append(f"{mark} {row.id[:8]}  {created}  {name:{project}}  {called}")
    if any(row.reflected_at is None for row in rows):
        lines.append("\n* not reflected on yet")
    return "\n".join(line.rstrip() for line in lines)


def _shown(view: "SessionView", commits: "list[str]") -> str:
    entry = view.entry
    reflected, made = "not yet", "0"
    if view.reflected_at:  # its memories are those of all the sessions that were reviewed together
        reflected = f"{view.reflected_at:{_TIME}}"
        made = f"{view.memories_created} in its review"
    values = [(spec, getattr(entry, name)) for name, spec in CONTENT.items()]
    plain = [one for one in values if not one[0].is_section]
    plain = [one for one in plain if one[0].kind not in ("hashes", "kinds")]  # commits stand below
    rows = [
        ("ID", entry.id),
        ("Created", entry.created_at.strftime(_TIME)),
        *((spec.label, _line(value)) for spec, value in plain),
        *((name, str(value)) for name, value in entry.extra.items()),
        ("Log", view.log_path or "none"),
        ("Reflected", reflected),
        ("Memories created", made),
        *([("Replaced by", view.replaced_by)] if view.replaced_by else []),
    ]
    lines = [f"{name + ':':19}{visible(value)}" for name, value in rows]
    lines += ["", "Commits:", *_section(tuple(commits))] if commits else []
    for spec, value in values:
        if spec.is_section:
            lines += ["", f"{spec.label.title()}:", *_section(value)]
    for part in entry.sections:
        lines += ["", visible(f"{part.heading}:\n{part.text}")]
    return "\n".join(lines)


def _line(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return text or "-"


def _section(value: str | tuple[str, ...]) -> list[str]:
    if isinstance(value, str):
        return [visible(value)]
    return [bullet(visible(item)) for item in value] or ["(none)"]


def _log_text(view: "SessionView", *, full: bool) -> str | None:
    from calmkb.kb.journal.raw_log import log_text

    if view.log_path is None:
        warn("this session has no raw log on this machine")
        return None
    return log_text(Path(view.log_path), full=full)
