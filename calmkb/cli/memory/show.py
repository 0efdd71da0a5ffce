"""A memory as `calmkb show` shows it, and `calmkb memory history`: its versions."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import fields_named, json_option, print_json
from calmkb.cli.base.layout import hanging, print_paged
from calmkb.cli.base.text import visible

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.memories.history import Version
    from calmkb.kb.memories.show import MemoryDetails


@click.command()
@click.argument("id")
@json_option
@click.pass_context
def history(context: click.Context, id: str, as_json: bool) -> None:  # noqa: A002
    """Show every version of a memory that git holds, retired ones too.

    What else changed in one: git show COMMIT.
    """
    from calmkb.kb.memories.history import claim
    from calmkb.kb.memories.history import history as versions_of

    kb = kb_from(context)
    identity, versions = versions_of(kb, id)
    if as_json:
        rows = [_version_fields(version, claim(kb, version)) for version in versions]
        print_json({"id": identity, "versions": rows})
    else:
        shown = [_version(version, claim(kb, version)) for version in versions]
        print_paged(hanging("\n\n".join(shown)))


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


def _version(version: "Version", claim: str) -> str:
    commit = version.commit
    lines = [f"{commit.at:%Y-%m-%d %H:%M}  {version.by}  {version.what}  ({commit.id[:10]})"]
    lines += [f"  {commit.subject}"]
    lines += [f"  {line}" for line in (version.memory.text if version.memory else "").split("\n")]
    lines += [f"  approval: {claim}"] if claim else []
    return visible("\n".join(lines).rstrip())


def _version_fields(version: "Version", claim: str) -> dict[str, object]:
    commit = version.commit
    return {
        **{"commit": commit.id, "at": commit.at, "by": version.by, "subject": commit.subject},
        **fields_named(version, "what", "path"),
        "text": version.memory.text if version.memory else None,
        "approval": claim or None,
    }
