"""`calmkb memory review`: each memory that may be stale, one question each."""

import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import fields_named, json_option, print_json
from calmkb.cli.base.person import no_person_because
from calmkb.cli.base.text import counted, visible
from calmkb.cli.review.held import HeldDecisions, HeldReview, as_action, edited
from calmkb.cli.review.items import Item, Verb
from calmkb.cli.review.loop import review as ask
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.memories.edit import Edits, edit_memory, locate_both, merge_memories
from calmkb.kb.memories.files import locate
from calmkb.kb.memories.memories import delete_memory
from calmkb.kb.memories.review import Retirement, keep_memory
from calmkb.kb.memories.review import review as find_stale
from calmkb.kb.reflect.saved_decisions import save_acts, saved_acts
from calmkb.model import Decision, Memory

_NAME = "-memories"


@click.command()
@json_option
@click.pass_context
def review(context: click.Context, as_json: bool) -> None:
    """Review stale memories; nothing is deleted automatically.

    Without a terminal they are printed, and nothing is asked.
    """
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


def _ask_all(kb: KnowledgeBase, found: tuple[Retirement, ...]) -> None:
    kind = _MemoryReview(kb, found)
    if ask(kind):
        click.echo(kind.write())
    else:
        click.echo(kind.left())


class _MemoryReview(HeldReview):
    """The memories to look at again, and what a person decided; written at the end, a commit each.

    A decision is bound to the words that it was taken on.
    """

    prompt = "review"
    noun = "memory"
    verbs: Mapping[Verb, str] = {
        "accept": "keep it, [with a note]; not asked again for a while",
        "reject": "retire it, [with a reason]",
        "edit": "edit its words",
        "merge": "merge it into another: [the memory's id], else the one named above",
        "skip": "skip it for later",
        "done": "write what was decided; the rest is asked next time",
        "quit": "leave: nothing is written, and what you decided is kept",
    }

    def __init__(self, kb: KnowledgeBase, found: Sequence[Retirement]) -> None:
        self.kb, self.found = kb, found
        ids = [_bound(one.memory) for one in found]
        self.held = HeldDecisions(
            ids, saved_acts(kb, _NAME), lambda acts: save_acts(kb, acts, _NAME)
        )

    @property
    def items(self) -> Sequence[Item]:
        """The memories with what is against them."""
        return [_item(one, number, len(self.found)) for number, one in enumerate(self.found, 1)]

    def decide(self, verb: Verb, numbers: Sequence[int], text: str) -> str:
        """Decide on memories; CalmError where a merge names no other memory."""
        self.held.add([self._decision(verb, self.found[number - 1], text) for number in numbers])
        return ""

    def write(self) -> str:
        """Carry out what was decided, and return a line for each; what cannot be, is left."""
        lines = []
        for number, item in enumerate(self.found, 1):
            decision = self.held.of(number)
            lines += [self._carried_out(decision, item)] if decision else []
        left = len(self.found) - len(lines)
        lines += [f"{counted(left, 'memory', 'memories')} left for next time."] if left else []
        self.held.clear()
        return "\n".join(lines)

    def _decision(self, verb: Verb, item: Retirement, text: str) -> Decision:
        made = Decision(proposal_id=_bound(item.memory), action=as_action(verb))
        if verb == "edit":
            return replace(made, text=edited(item.memory.text))
        if verb != "merge":
            return replace(made, reason=text)
        from calmkb.kb.memories.files import find_memory

        other = text or next((ground.other for ground in item.grounds if ground.other), "")
        if not other:
            raise CalmError("merge into which? Name one, with an id from: calmkb memory list")
        return replace(made, into=find_memory(self.kb, other).id)

    def _carried_out(self, decision: Decision, item: Retirement) -> str:
        short = item.memory.id[:8]
        try:
            self._write(decision, item)
        except CalmError as error:
            return visible(f"Left {short} as it is: {error}")
        match decision.action:
            case "reject":
                return f"Retired {short}; git keeps it: calmkb memory history {short}"
            case "merge":
                return f"Merged {short} into {decision.into[:8]}."
            case _:
                return f"{'Edited' if decision.text else 'Kept'} {short}."

    def _write(self, decision: Decision, item: Retirement) -> None:
        filed = locate(self.kb, item.memory.id)
        if filed.record != item.memory:
            raise CalmError("it was changed since it was shown; review again")
        if decision.action == "reject":
            grounds = "; ".join(" ".join(ground.words.split()) for ground in item.grounds)
            delete_memory(self.kb, item.memory.id, reason=decision.reason or grounds)
        elif decision.action == "merge":
            gone, kept = locate_both(self.kb, item.memory.id, decision.into)
            merge_memories(self.kb, gone, kept, approved_by=self.kb.reviewer())
        elif decision.text:
            edits = Edits(text=decision.text)
            edit_memory(self.kb, filed, edits, approved_by=self.kb.reviewer())
        else:
            keep_memory(self.kb, item.memory, note=decision.reason)


def _bound(memory: Memory) -> str:
    """Return the id under which a decision is kept: other words are another question."""
    return f"{memory.id}:{zlib.crc32(memory.text.encode()):08x}"


def _item(item: Retirement, number: int, count: int) -> Item:
    return Item(
        id=item.memory.id,
        text=" ".join(item.memory.text.split()),
        heading=f"{number} of {count} · {item.memory.id[:8]}",
        facts=_about(item),
        warnings=tuple(f"{' '.join(g.words.split())}{_of(g.other)}" for g in item.grounds),
    )


def _about(item: Retirement) -> str:
    memory, standing = item.memory, item.standing
    about = f"{memory.category}, {memory.scope}, approved {memory.created_at:%Y-%m-%d}"
    return f"{about}, confidence {standing.value:.2f} ({standing.word})"


def _shown(item: Retirement) -> str:
    text = " ".join(item.memory.text.split())
    lines = [f"{item.memory.id[:8]}  {text}", f"{'':10}{_about(item)}"]
    lines += [f"{'':10}- {' '.join(g.words.split())}{_of(g.other)}" for g in item.grounds]
    return visible("\n".join(lines))


def _of(other: str) -> str:
    return f" ({other[:8]})" if other else ""


def _row(item: Retirement) -> dict[str, object]:
    return {
        **fields_named(item.memory, "id", "text", "category", "scope"),
        "standing": round(item.standing.value, 4),
        "confidence_now": item.standing.word,
        "grounds": [
            fields_named(ground, "kind", "words", "since", "other") for ground in item.grounds
        ],
    }
