"""A memory as `calmkb show` shows it."""

from typing import TYPE_CHECKING

from calmkb.cli.base.layout import hanging
from calmkb.cli.base.text import visible

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.memories.show import MemoryDetails


def page(kb: "KnowledgeBase", identity: str, detail: object = None) -> "Page":
    """Return a memory with its evidence, its confidence, and whether it helped."""
    from calmkb.kb.memories.show import memory_details

    found = memory_details(kb, identity)
    return _fields(found), hanging(_page(found))


def _page(found: "MemoryDetails") -> str:
    memory = found.status.memory
    heads = "".join(f"{name + ':':15}{visible(value)}\n" for name, value in _heads(found) if value)
    blocks = [heads + "\n" + visible(memory.text)]
    if memory.why:
        blocks.append(f"Why\n  {visible(memory.why)}")
    quotes = [
        f"  - {e.date}, {e.project} ({e.source[:8]}): {' '.join(e.quote.split())}"
        if e.source
        else f"  - {' '.join(e.quote.split())}"
        for e in memory.evidence
    ]
    anchors = [f"  - {one.name}: {one.state}" for one in found.anchors]
    if anchors:
        blocks.append("Mentions\n" + visible("\n".join(anchors)))
    if quotes:
        blocks.append("Evidence\n" + visible("\n".join(quotes)))
    blocks += [visible(f"{part.heading}\n{part.text}") for part in memory.sections]
    return "\n\n".join(blocks)


def _heads(found: "MemoryDetails") -> list[tuple[str, str]]:
    memory, counts = found.status.memory, found.status.counts
    standing = found.status.standing
    used = f", last on {found.used:%Y-%m-%d}" if found.used else ""
    return [
        ("id", memory.id),
        ("category", memory.category),
        ("scope", ", ".join([memory.scope, *memory.paths])),
        ("importance", f"{memory.importance:g}"),
        ("confidence", f"{memory.confidence}; now {standing.word} ({standing.value:.2f})"),
        ("approved by", found.status.approval.words),
        ("created", f"{memory.created_at:%Y-%m-%d %H:%M:%S}"),
        ("supersedes", memory.supersedes),
        ("superseded by", ", ".join(found.superseded_by)),
        ("merged from", ", ".join(memory.merged)),
        ("tags", ", ".join(memory.tags)),
        ("feedback", f"{counts.helpful} helpful{used}, {counts.harmful} harmful"),
        ("trouble", found.backtest.words),
        ("turns lost", found.backtest.turns),
        ("recalled", found.recalled.words),
        ("enforced", _enforced(found)),
        ("file", found.path),
    ]


def _enforced(found: "MemoryDetails") -> str:
    memory = found.status.memory
    checks = f"{memory.enforce}: {'; '.join(memory.checks)}" if memory.enforce else ""
    return "; ".join(filter(None, [checks, found.stopped.words if found.stopped else ""]))


def _fields(found: "MemoryDetails") -> dict[str, object]:

    from calmkb.cli.memory.memory import row
    from calmkb.cli.memory.report import fields, recalled_fields
    from calmkb.kb.search.search import fields_of

    return {
        **fields_of(found.status.memory),
        **row(found.status),
        "path": found.path,
        "superseded_by": list(found.superseded_by),
        "last_helpful": found.used,
        "backtest": fields(found.backtest),
        "recalled": recalled_fields(found.recalled),
        "speaks_of": [
            {"anchor": one.name, "state": one.state, "words": one.words} for one in found.anchors
        ],
        "stopped": found.stopped,
    }
