"""`calmkb memory review`: each memory that may have had its day, one question each."""

import json
import sys
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.person import nobody_because
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.memories.review import Retirement

_CHANGING = ("r", "retire", "m", "merge")
_HELP = """\
r [reason]   retire it            k [note]   keep it: not asked again for a while
m ID         merge it into ID     s          skip: ask again next time
?            this help            q          leave; what was decided stands"""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def review(context: click.Context, as_json: bool) -> None:
    """Ask which memories have had their day; none is taken out by itself.

    Without a terminal they are printed, and nothing is asked.
    """
    from calmkb.kb.memories.review import review as look

    kb = kb_from(context)
    found = look(kb)
    if as_json:
        rows = [_row(item) for item in found]
        click.echo(json.dumps({"memories": rows, "count": len(rows)}, ensure_ascii=False))
    elif not found:
        click.echo("No memory seems to have had its day.")
    elif nobody_because(context) or not sys.stdout.isatty():
        click.echo("\n\n".join(_shown(item) for item in found))
        click.echo("\nIn a terminal you are asked about each; by hand: calmkb memory retire ID")
    else:
        _ask_all(kb, found)


def _ask_all(kb: "KnowledgeBase", found: "tuple[Retirement, ...]") -> None:
    click.echo(f"{len(found)} to look at.\n\n{_HELP}")
    for number, item in enumerate(found, 1):
        click.echo(f"\n({number} of {len(found)}) {_shown(item)}")
        if not _ask(kb, item):
            return


def _ask(kb: "KnowledgeBase", item: "Retirement") -> bool:
    """Ask until there is an answer that can be carried out; False where the person leaves."""
    while True:
        line = click.prompt("review", default="s", show_default=False, prompt_suffix="> ")
        verb, _, words = line.strip().partition(" ")
        if verb in ("q", "quit"):
            return False
        if verb in ("s", "skip"):
            return True
        try:
            done = _act(kb, item, verb, words.strip())
        except CalmError as error:
            click.echo(visible(str(error)))
            continue
        click.echo(done or _HELP)
        if done:
            return True


def _act(kb: "KnowledgeBase", item: "Retirement", verb: str, words: str) -> str:
    """Carry out an answer and return what was done; nothing where it was no answer."""
    from calmkb.kb.memories.edit import locate_both, merge_memories
    from calmkb.kb.memories.files import locate
    from calmkb.kb.memories.memories import delete_memory
    from calmkb.kb.memories.review import keep_memory

    identity = item.memory.id
    if verb in _CHANGING and locate(kb, identity).memory != item.memory:
        raise CalmError("it was changed since it was shown; skip it, and look again")
    if verb in ("r", "retire"):
        delete_memory(kb, identity, reason=words or _grounds(item))
        return f"Retired {identity[:8]}."
    if verb in ("k", "keep"):
        keep_memory(kb, item.memory, note=words)
        return f"Kept {identity[:8]}."
    if verb in ("m", "merge"):
        other = words or next((g.other for g in item.grounds if g.other), "")
        gone, into = locate_both(kb, identity, other)
        merge_memories(kb, gone, into, approved_by=kb.reviewer())
        return f"Merged {identity[:8]} into {into.memory.id[:8]}."
    return ""


def _shown(item: "Retirement") -> str:
    memory, standing = item.memory, item.standing
    text = " ".join(memory.text.split())
    about = f"{memory.category}, {memory.scope}, approved {memory.created_at:%Y-%m-%d}"
    about += f", stands at {standing.value:.2f} ({standing.word})"
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
