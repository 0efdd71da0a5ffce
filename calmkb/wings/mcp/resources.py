"""Resources that a client may attach, and prompts for wrap-up and reflection."""

from calmkb.errors import NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.search.search import show
from calmkb.wings.mcp.tools import ToolServer, for_client

WRAPUP = """\
Wrap this session up for the team's knowledge base.
1. From our conversation write a summary of 2-3 sentences, the friction points (problems, blockers,
   surprises; one sentence each that makes sense to someone who was not here), and next steps.
2. Store them with `store_journal_entry`.{continuation}
3. Report: the heading "Session Wrapped Up", then **Summary**, **Friction Points** and
   **Next Steps** as bullets, and `Journal entry saved: <id>`.
"""
CONTINUATION = """ The work goes on: set needs_continuation, and give next steps that
   the next session can act on without asking."""
REFLECTION = """\
Reflect on the sessions that no reflection has covered. If `mark_entries_reflected` is not among
your tools, stop: tell me to start the server with `calmkb agents mcp`, or to run `calmkb reflect`.
1. `list_journal_entries` with unreflected_only, at most 10. None: say "No unreflected sessions to
   process." and stop.
2. Read each with `get_journal_entry`.
3. Look at them four times: what went wrong and what fixed it (error, decision); how the code base
   works (fact); which ways of working helped or wasted time (workflow, preference); what recurs
   (decision, fact). Propose stable insights, not line numbers.
4. `dedupe_proposals` where you have it, else `retrieve_memories` for each; leave out what is a
   duplicate, and show what it contradicts where there is a conflict.
5. Ask me about all that is left in one list: grouped, numbered, each with category, text and the
   session it comes from. I answer with numbers, all or none.
6. `store_memory` for what I chose, word for word, with `sources` (the ids of its sessions) and
   `scope` where it holds for one project. It proposes: the client asks me to confirm each, or it
   waits for `calmkb reflect`. Then `mark_entries_reflected` with the count of those approved.
7. Report "Reflection Complete": sessions processed, memories created, proposals that wait, logs
   deleted, and the new memories. If any wait, tell me to run `calmkb reflect` in a terminal.
"""


def register(server: ToolServer) -> None:
    """Add the resources and prompts to `server`."""

    @server.resource("calmkb://digest", title="What this project has learnt",
                     mime_type="text/markdown")  # fmt: skip
    @for_client
    def read_digest() -> str:
        """Return the digest that `calmkb export` writes for agents."""
        from calmkb.kb.export.reading import project_digest  # a fifth of the server's start

        return project_digest(server.open_kb()) or "Nothing approved yet.\n"

    @server.resource("calmkb://memories/{id}", title="A memory", mime_type="text/markdown")
    @for_client
    def read_memory(id: str) -> str:  # noqa: A002
        """Return a memory's file."""
        return _text(server.open_kb(), id, "memory")

    @server.resource("calmkb://entries/{id}", title="A session entry", mime_type="text/markdown")
    @for_client
    def read_entry(id: str) -> str:  # noqa: A002
        """Return a session entry's file."""
        return _text(server.open_kb(), id, "session")

    @server.prompt(title="Wrap up this session")
    def wrapup(mode: str = "") -> str:
        """Write a journal entry; mode `continue` where the work goes on."""
        more = CONTINUATION if mode.strip() == "continue" else ""
        return WRAPUP.format(continuation=more)

    @server.prompt(title="Reflect on recent sessions")
    def reflection() -> str:
        """Find what is worth remembering, ask the person, and propose it."""
        return REFLECTION


def _text(kb: KnowledgeBase, identity: str, kind: str) -> str:
    found = show(kb, [identity])[0]
    if found.kind != kind:
        raise NotFoundError(f"{identity} is a {found.kind}, not a {kind}")
    return found.text
