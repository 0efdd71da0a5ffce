"""`calmkb memory review`: each memory that may be stale, one question each."""

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import QUIT, Choice, Quit, choose, help_text
from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_option, print_json
from calmkb.cli.base.person import no_person_because
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.memories.review import Retirement


@click.command()
@json_option
@click.pass_context
def review(context: click.Context, as_json: bool) -> None:
    """Review stale memories; nothing is deleted automatically.

    Without a terminal they are printed, and nothing is asked.
    """
    from calmkb.kb.memories.review import review as find_stale

    kb = kb_from(context)
    found = find_stale(kb)
    if as_json:
        rows = [_row(item) for item in found]
        print_json({"memories": rows, "count": len(rows)})
    elif not found:
        click.echo("No stale memories.")
    elif no_person_because(context) or not sys.stdout.isatty():
        click.echo("\n\n".join(_shown(item) for item in found))
        click.echo("\nIn a terminal you are asked about each; by hand: calmkb memory retire ID")
    else:
        _ask_all(kb, found)


def _ask_all(kb: "KnowledgeBase", found: "tuple[Retirement, ...]") -> None:
    click.echo(f"{len(found)} to review.\n\n{help_text(_choices(kb, found[0]))}")
    for number, item in enumerate(found, 1):
        click.echo(f"\n({number} of {len(found)}) {_shown(item)}")
        try:
            choose(_choices(kb, item))
        except Quit:
            return


def _choices(kb: "KnowledgeBase", item: "Retirement") -> list[Choice]:
    return [
        Choice("retire", "retire it", partial(_retire, kb, item), "[reason]"),
        Choice("keep", "keep it: not asked again for a while", partial(_keep, kb, item), "[note]"),
        Choice("merge", "merge it into the memory ID", partial(_merge, kb, item), "[ID]"),
        Choice("skip", "skip: ask again next time", lambda _: True),
        QUIT,
    ]


def _retire(kb: "KnowledgeBase", item: "Retirement", reason: str) -> bool:
    from calmkb.kb.memories.memories import delete_memory

    _check_unchanged(kb, item)
    delete_memory(kb, item.memory.id, reason=reason or _grounds(item))
    click.echo(f"Retired {item.memory.id[:8]}.")
    return True


def _keep(kb: "KnowledgeBase", item: "Retirement", note: str) -> bool:
    from calmkb.kb.memories.review import keep_memory

    keep_memory(kb, item.memory, note=note)
    click.echo(f"Kept {item.memory.id[:8]}.")
    return True


def _merge(kb: "KnowledgeBase", item: "Retirement", into: str) -> bool:
    """Merge the memory into another: the one named, else the first that the grounds name."""
    from calmkb.kb.memories.edit import locate_both, merge_memories

    _check_unchanged(kb, item)
    other = into or next((ground.other for ground in item.grounds if ground.other), "")
    merged, kept = locate_both(kb, item.memory.id, other)
    merge_memories(kb, merged, kept, approved_by=kb.reviewer())
    click.echo(f"Merged {item.memory.id[:8]} into {kept.record.id[:8]}.")
    return True


def _check_unchanged(kb: "KnowledgeBase", item: "Retirement") -> None:
    from calmkb.kb.memories.files import locate

    if locate(kb, item.memory.id).record != item.memory:
        raise CalmError("it was changed since it was shown; skip it, then review again")


def _shown(item: "Retirement") -> str:
    memory, standing = item.memory, item.standing
    text = " ".join(memory.text.split())
    about = f"{memory.category}, {memory.scope}, approved {memory.created_at:%Y-%m-%d}"
    about += f", confidence {standing.value:.2f} ({standing.word})"
    lines = [f"{memory.id[:8]}  {text}", f"{'':10}{about}"]
    lines += [f"{'':10}- {' '.join(g.words.split())}{_of(g.other)}" for g in item.grounds]
    return visible("\n".join(lines))


def _of(other: str) -> str:
    return f" ({other[:8]})" if other else ""


def _grounds(item: "Retirement") -> str:
    return "; ".join(" ".join(ground.words.split()) for ground in item.grounds)


def _row(item: "Retirement") -> dict[str, object]:
    return {
        "id": item.memory.id,
        "text": item.memory.text,
        "category": item.memory.category,
        "scope": item.memory.scope,
        "standing": round(item.standing.value, 4),
        "confidence_now": item.standing.word,
        "grounds": [
            {
                "kind": ground.kind,
                "words": ground.words,
                "since": ground.since.isoformat() if ground.since else None,
                "other": ground.other,
            }
            for ground in item.grounds
        ],
    }
