"""A check: memories that nobody will read to their end."""

from collections.abc import Iterator, Mapping

from calmkb.documents.findings import Finding
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Memory

LONGEST = 300


def findings(kb: KnowledgeBase, memories: Mapping[str, Memory]) -> Iterator[Finding]:
    """Yield the memories of more than 300 characters, each with its file."""
    for path, memory in memories.items():
        if len(memory.text) > LONGEST:
            size, fix = len(memory.text), f"calmkb memory edit {memory.id[:8]}"
            yield Finding(path, 1, "long-memory", f"has {size} characters; shorten it: {fix}")
