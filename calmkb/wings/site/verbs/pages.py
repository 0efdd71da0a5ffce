"""What the site shows: the whole knowledge base with its themes of friction."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

from calmkb.config import load_config
from calmkb.errors import CalmError
from calmkb.kb.base import points
from calmkb.kb.base.environment import Environment, process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.checks.statistics import figures
from calmkb.kb.export.digests import open_source
from calmkb.kb.export.preview import digest_previews
from calmkb.kb.journal.next_steps import steps_of
from calmkb.kb.journal.sessions import read_contents, session_authors
from calmkb.kb.memories.agent_proposals import waiting_count
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.backtest import backtests
from calmkb.kb.memories.feedback import counted
from calmkb.kb.memories.retirements import retirements
from calmkb.kb.search.friction import friction_themes, session_texts
from calmkb.model import HELPED, Doubt, Library, in_utc
from calmkb.reflect.memories.stale import Retirement
from calmkb.store.index.queries import record_ids


def library(kb: KnowledgeBase) -> Library:
    """Return all records of `kb`, newest first, and friction, most sessions first."""
    contents = read_contents(kb)
    texts = session_texts(kb, contents.sessions)
    themes = friction_themes(kb, texts, contents)
    tests = backtests(kb, contents.memories, contents, texts, costs=False)
    source = open_source(kb, contents.memories)
    given = source.given
    known = {one.id: counted(given[one.id]) for one in contents.memories if one.id in given}
    digests = digest_previews(source)
    return Library(
        sessions=contents.sessions,
        memories=contents.memories,
        reflections=contents.reflections,
        themes=themes,
        problems=contents.problems,
        feedback=known,
        improvements=contents.improvements,
        figures=figures(
            contents,
            themes,
            feedback={v: sum(getattr(one, v) for one in known.values()) for v in HELPED},
            tests=tests,
            digests=digests,
        ),
        approvals=approvals(kb, contents.memories),
        authors=session_authors(kb),
        digests=digests,
        today=_today(kb.environment),
        doubts=_doubts(retirements(kb, contents, texts, given, tests)),
        proposed=waiting_count(kb),
        steps=steps_of(kb, contents),
        files=_files(kb),
        anchors={
            key: tuple((one.name, one.state) for one in found)
            for key, found in points.names_of(kb, contents.memories).items()
        },
        backtests={one.id: one for one in tests},
        stopped={key: one.words for key, one in points.calls_stopped(kb).items()},
    )


def _files(kb: KnowledgeBase) -> dict[str, str]:
    """Return the file of each record, by its id."""
    folder = kb.prefix
    return {identity: f"{folder}/{path}" for path, _, identity in kb.with_index(record_ids)}


def _doubts(found: Iterable[Retirement]) -> tuple[Doubt, ...]:
    """Return the first ground of each memory that a review would ask about."""
    return tuple(Doubt(o.memory.id, o.grounds[0].words, o.grounds[0].other) for o in found)


def _today(environment: Environment) -> date:
    """Return the day of the build; SOURCE_DATE_EPOCH names another, as for other builders."""
    epoch = environment.env.get("SOURCE_DATE_EPOCH", "")
    try:
        named = datetime.fromtimestamp(int(epoch), UTC) if epoch else None
        return (named or in_utc(environment.now())).date()
    except (ValueError, OverflowError, OSError):
        raise CalmError(
            f"SOURCE_DATE_EPOCH is {epoch!r}; it must be seconds since 1970, or not be set"
        ) from None


def load_library(root: Path) -> Library:
    """Return the library of the knowledge base at `root`, for a site built in this process."""
    return library(KnowledgeBase(root, load_config(root), process_environment()))
