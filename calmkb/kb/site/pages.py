"""What the site shows: the whole knowledge base with its themes of friction."""

from pathlib import Path

from calmkb.config import load_config
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.checks.statistics import figures
from calmkb.kb.export.digests import open_source
from calmkb.kb.export.preview import digest_previews
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.effectiveness import memory_health
from calmkb.kb.search.friction import friction_themes, session_texts
from calmkb.model import Library


def library(kb: KnowledgeBase) -> Library:
    """Return all records of `kb`, newest first, and friction, most sessions first."""
    contents = read_contents(kb)
    texts = session_texts(kb, contents.sessions)
    themes = friction_themes(kb, texts, contents.memories)
    health = memory_health(kb, contents, texts)
    digests = digest_previews(open_source(kb, contents.memories))
    return Library(
        sessions=contents.sessions,
        memories=contents.memories,
        reflections=contents.reflections,
        themes=themes,
        problems=contents.problems,
        health=health,
        improvements=contents.improvements,
        figures=figures(
            contents,
            themes,
            feedback={
                "helpful": sum(one.helpful for one in health.values()),
                "harmful": sum(one.harmful for one in health.values()),
            },
            helping=[one.helped.verdict for one in health.values() if one.helped],
            digests=[one for one in digests if one.project == digests[0].project],
        ),
        approvals=approvals(kb, contents.memories),
        digests=digests,
    )


def load_library(root: Path) -> Library:
    """Return the library of the knowledge base at `root`, for a site built in this process."""
    return library(KnowledgeBase(root, load_config(root), process_environment()))
