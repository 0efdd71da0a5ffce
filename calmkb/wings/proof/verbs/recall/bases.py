"""Which knowledge bases are recalled at prompts on this machine: read at every session's start."""

import os
from pathlib import Path
from typing import Any

from calmkb import recall
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.local.state_files import load


def is_on(kb: KnowledgeBase) -> bool:
    """Return whether agents are given memories of this knowledge base at prompts."""
    return any(one["kb"] == key_of(kb) for one in told_bases(kb.environment))


def told_bases(environment: Environment) -> list[dict[str, Any]]:
    """Return what is there; nothing where the file cannot be read for sure."""
    found = load(environment.own / recall.INDEX)
    rows = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return [one for one in rows if {"kb", "folder", "memories"} <= one.keys()]


def key_of(kb: KnowledgeBase) -> str:
    """Return what names a knowledge base in each work tree of its repository."""
    repository = kb.repository_if_any
    if repository is None:
        return str(kb.root)
    below = os.path.relpath(os.path.realpath(kb.root), os.path.realpath(repository.top))
    return str(Path(os.path.realpath(repository.common_dir)) / below)
