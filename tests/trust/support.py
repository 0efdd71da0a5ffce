"""Approvals in tests: what a person would allow at their terminal."""

from pathlib import Path

from calmkb.kb.base.approvals import approve
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.trust.programs import all_requests


def allow_everything(kb: KnowledgeBase | None = None) -> None:
    """Approve all that a knowledge base asks for: the given one, or that of the current folder."""
    kb = kb or open_kb(process_environment())
    approve(kb, all_requests(kb))


def write_allowed(folder: Path, settings: str) -> None:
    """Write the settings of the knowledge base in `folder`, as its person would, and allow them."""
    (folder / "calmkb.toml").write_text(settings)
    allow_everything(open_kb(process_environment(), option=str(folder)))
