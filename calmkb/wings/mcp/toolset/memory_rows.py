"""A memory as the tools return it, and limits of its fields."""

from typing import Annotated

from pydantic import BaseModel, Field

from calmkb.model import Approval, Memory

TEXT_LIMIT = 10_000
Content = Annotated[str, Field(min_length=1, max_length=TEXT_LIMIT)]
Importance = Annotated[float, Field(ge=0, le=1)]


class MemoryRow(BaseModel):
    """One memory."""

    id: str
    content: str
    category: str
    importance: float
    confidence: str
    scope: str
    tags: list[str]
    created_at: str
    approved_by: str = Field(description="Who approved it, by git; both if the record differs")


def row_of(memory: Memory, approval: Approval) -> dict[str, object]:
    """Return the fields of a `MemoryRow`."""
    same = ("id", "category", "importance", "confidence", "scope")
    row = {name: getattr(memory, name) for name in same}
    row |= {"content": memory.text, "tags": list(memory.tags)}
    return row | {"created_at": memory.created_at.isoformat(), "approved_by": approval.words}
