"""The session journal over MCP: save, list and read entries, and mark them as reflected on."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Resolve
from mcp.types import ListRootsResult
from pydantic import BaseModel, Field, create_model

from calmkb.errors import RecordError
from calmkb.kb.base.tool import ADDS, DESTROYS, READS, Tool, kb_of
from calmkb.kb.journal.listing import SessionFilter, list_sessions
from calmkb.kb.journal.sessions import get_session
from calmkb.model import CONTENT, SessionView, check_uuid
from calmkb.wings.mcp.toolset.caller import ask_roots, folder_of, session_of
from calmkb.wings.mcp.toolset.content import as_item, with_content_parameters

if TYPE_CHECKING:
    from calmkb.kb.journal.agent_session import AgentSession
    from calmkb.kb.journal.raw_log import RawLog
    from calmkb.kb.journal.wrapup import WrapUp

_LIST_LIMIT = 200
EntryId = Annotated[str, Field(description="UUID")]


class Stored(BaseModel):
    """Where an entry went."""

    id: str
    session_log_path: str | None = Field(
        description="The session's raw log on this machine, if it was kept"
    )
    note: str = Field(default="", description="Why no log was kept, if it was to be")


class EntryRow(BaseModel):
    """An entry in a list."""

    id: str
    created_at: str
    working_directory: str
    project_name: str
    summary: str
    reflected_at: str | None


class EntryList(BaseModel):
    """Entries, newest first."""

    entries: list[EntryRow]
    count: int


_TYPES = {"text": str, "line": str, "flag": bool} | dict.fromkeys(
    ("items", "paths", "hashes", "kinds"), list[str]
)
_MORE = {name: spec for name, spec in CONTENT.items() if name not in EntryRow.model_fields}


class _Full(EntryRow):
    """An entry with all its fields."""

    session_log_path: str | None
    memories_created: int
    replaced_by: str | None = None
    session_log: str | None = None


FullEntry = create_model(
    "FullEntry",
    __base__=_Full,
    __doc__=_Full.__doc__,
    **{name: (_TYPES[spec.kind], Field(description=spec.help)) for name, spec in _MORE.items()},
)  # type: ignore[call-overload]  # its overloads know no dictionary of fields


class MarkedEntries(BaseModel):
    """What a marking changed."""

    marked_count: int
    logs_deleted: int


@with_content_parameters
def store_journal_entry(
    context: Context, roots: Annotated[ListRootsResult, Resolve(ask_roots)],
    session_log_content: str = "", **content: Any,
) -> Stored:  # fmt: skip
    """Wrap up a finished session: save what was done in the team's journal, in git."""
    # What reads transcripts would be a third of the server's start.
    from calmkb.kb.journal.agent_session import with_session
    from calmkb.kb.journal.session_commits import commits_made
    from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up

    folder = folder_of(content["working_directory"], roots)
    given = {name: value for name, value in content.items() if value is not None}
    lists = {
        name: tuple(map(as_item, value)) for name, value in given.items() if isinstance(value, list)
    }
    kb, session = kb_of(context), session_of(context)
    made = WrapUp(**(given | lists | {"working_directory": folder}), agent=session.agent)
    made = with_session(made, session)
    log = _log(context, session_log_content, made, session)
    made = replace(made, log=log.content, commits=commits_made(kb, made))
    done = wrap_up(*prepare(kb, made))
    path = str(done.log_path) if done.log_path else None
    return Stored(id=done.entry.id, session_log_path=path, note=log.note)


def _log(context: Context, text: str, made: "WrapUp", session: "AgentSession") -> "RawLog":
    """Return the log that was given, else that of the session which calls, from its own file."""
    from calmkb.kb.journal.raw_log import LOG_LIMIT, RawLog, session_log

    if text:
        log = text.encode(errors="replace")
        if len(log) > LOG_LIMIT:
            raise RecordError(f"session_log_content has {len(log):,} bytes; at most 64 MiB")
        return RawLog(log)
    if session.session_id and made.session_id == session.session_id:
        return session_log(kb_of(context), session.session_id)
    return RawLog()


def list_journal_entries(
    context: Context, unreflected_only: bool = False, project_name: str | None = None,
    working_directory: Annotated[str | None, Field(description="Exactly this folder")] = None,
    limit: Annotated[int, Field(ge=1, le=_LIST_LIMIT)] = 50,
) -> EntryList:  # fmt: skip
    """List the team's recorded session entries, newest first, or those not reflected on."""
    wanted = SessionFilter(unreflected_only, project_name, working_directory, limit)
    found, _ = list_sessions(kb_of(context), wanted)
    return EntryList(
        entries=[EntryRow.model_validate(_row(view)) for view in found], count=len(found)
    )


def get_journal_entry(
    context: Context,
    entry_id: EntryId,
    include_log: Annotated[bool, Field(description="In short")] = False,
    full_log: Annotated[bool, Field(description="In full")] = False,
) -> FullEntry:  # type: ignore[valid-type]
    """Show one of the team's session entries: friction, next steps, all fields, its raw log."""
    from calmkb.kb.journal.raw_log import log_text

    check_uuid(entry_id, "entry_id")
    view = get_session(kb_of(context), entry_id)
    log = view.log_path if include_log or full_log else None
    text = log_text(Path(log), full=full_log) if log else None
    return _full(view, text)  # type: ignore[no-any-return]


def mark_entries_reflected(
    context: Context,
    entry_ids: Annotated[list[str], Field(min_length=1, max_length=1000)],
    memories_created: Annotated[int, Field(ge=0, description="In the batch")] = 0,
    delete_logs: bool = True,
) -> MarkedEntries:
    """Mark entries of the team as reflected on; their raw logs are deleted."""
    from calmkb.wings.mcp.verbs import mark_reflected  # heavy, and rarely called

    marked, deleted = mark_reflected(
        kb_of(context), entry_ids, memories_created=memories_created, delete_logs_too=delete_logs
    )
    return MarkedEntries(marked_count=marked, logs_deleted=deleted)


def _row(view: SessionView) -> dict[str, str | None]:
    entry = view.entry
    return {
        "id": entry.id,
        "created_at": entry.created_at.isoformat(),
        "working_directory": entry.working_directory,
        "project_name": entry.project_name,
        "summary": entry.summary,
        "reflected_at": view.reflected_at.isoformat() if view.reflected_at else None,
    }


def _full(view: SessionView, log: str | None) -> Any:
    content = {name: getattr(view.entry, name) for name in _MORE}
    lists = {name: list(value) for name, value in content.items() if isinstance(value, tuple)}
    more = {
        "session_log_path": view.log_path,
        "memories_created": view.memories_created,
        "replaced_by": view.replaced_by or None,
    }
    return FullEntry.model_validate(_row(view) | content | lists | more | {"session_log": log})


TOOLS = (
    Tool(store_journal_entry, ADDS),
    Tool(list_journal_entries, READS),
    Tool(get_journal_entry, READS),
    Tool(mark_entries_reflected, DESTROYS),
)
