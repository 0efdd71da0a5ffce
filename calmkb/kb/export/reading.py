"""What an export says, for those who read it: the digest as text, the choice as plain objects."""

import json
from typing import Any

from calmkb.export.digest import digest
from calmkb.export.targets.json_file import render
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import current_project
from calmkb.kb.export.plan import Plan
from calmkb.kb.journal.sessions import read_memories


def project_digest(kb: KnowledgeBase) -> str:
    """Return all memories that hold in this project as Markdown, or nothing where none does."""
    return digest(read_memories(kb), current_project(kb, kb.environment.cwd))


def explained(made: Plan) -> list[dict[str, Any]]:
    """Return for each target what is in and what is left out, with tokens and reasons."""
    documents = []
    for planned in made.targets:
        chosen = json.loads(render(planned.digest.selection)[0].body or "{}")  # empty: no memory
        documents.append({
            "target": planned.target,
            "tokens": planned.digest.tokens,
            "budget": planned.digest.selection.budget,
            "handwritten": planned.digest.handwritten,
            "items": chosen.get("items", []),
            "left_out": chosen.get("left_out", []),
        })  # fmt: skip
    return documents
