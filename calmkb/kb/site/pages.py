"""What the site shows: the whole knowledge base with its themes of friction."""

from pathlib import Path

from calmkb.config import load_config
from calmkb.kb.base.knowledge_base import KnowledgeBase, process_environment
from calmkb.kb.checks.statistics import figures
from calmkb.kb.export.preview import told
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.effectiveness import vitals
from calmkb.kb.search.friction import friction_themes, said_in
from calmkb.model import Library


def library(kb: KnowledgeBase) -> Library:
    """Return all records of `kb`, newest first, and friction, most sessions first."""
    contents = read_contents(kb)
    said = said_in(kb, contents.sessions)
    found = friction_themes(kb, said, contents.memories)
    known = vitals(kb, contents, said)
    telling = told(kb, contents.memories)
    counts = {
        "helpful": sum(one.helpful for one in known.values()),
        "harmful": sum(one.harmful for one in known.values()),
    }
    return Library(
        sessions=contents.sessions,
        memories=contents.memories,
        reflections=contents.reflections,
        themes=found,
        problems=contents.problems,
        vitals=known,
        improvements=contents.improvements,
        figures=figures(
            contents,
            found,
            feedback=counts,
            helping=[one.helped.verdict for one in known.values() if one.helped],
            digest=telling[0].tokens,
        ),
        approvals=approvals(kb, contents.memories),
        told=telling,
    )


def load_library(root: Path) -> Library:
    """Return the library of the knowledge base at `root`, for a site built in this process."""
    return library(KnowledgeBase(root, load_config(root), process_environment()))
