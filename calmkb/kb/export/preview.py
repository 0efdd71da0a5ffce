"""What agents are told, as the site shows it: by the records alone, the same on every machine."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from calmkb.export.base import Exporter
from calmkb.export.choice import LeftOut, Selection, Wish, choose
from calmkb.export.targets.table import EXPORTERS
from calmkb.export.tokens import without_comments
from calmkb.export.worth import Facts
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.choice import cost_of, facts_of
from calmkb.kb.export.plan import UNBOUNDED, elsewhere_of
from calmkb.model import GLOBAL_SCOPE, Memory, Told, ToldMemory

MOST_PROJECTS = 30
LEFT_OUT_SHOWN = 100


def told(kb: KnowledgeBase, memories: Sequence[Memory]) -> tuple[Told, ...]:
    """Return what agents in the knowledge base's own project are told, target by target.

    Then what those in other projects are told by the first target: projects that memories of their
    own hold for, those of most memories first, 30 at most. What people wrote by hand on this
    machine is not looked at, so that the site is the same wherever it is built.
    """
    own = kb.config.project or kb.root.name
    facts = facts_of(kb, memories)
    targets = [name for name in EXPORTERS if name in kb.config.export.targets] or ["claude-md"]
    say = partial(_told, kb, memories, facts)
    first = targets[0]
    return (
        *(say(target, own) for target in targets),
        *(say(first, project) for project in _projects(memories, own)),
    )


def _projects(memories: Sequence[Memory], own: str) -> Iterator[str]:
    """Yield each project once: scopes that differ in case alone are one."""
    counts = Counter(memory.scope for memory in memories)
    seen = {GLOBAL_SCOPE, own.casefold()}
    for scope, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if scope.casefold() not in seen and len(seen) < MOST_PROJECTS + 2:
            seen.add(scope.casefold())
            yield scope


def _told(
    kb: KnowledgeBase,
    memories: Sequence[Memory],
    facts: Mapping[str, Facts],
    target: str,
    project: str,
) -> Told:
    exporter = EXPORTERS[target]
    budget = None if target in UNBOUNDED else kb.config.export.max_tokens
    wish = Wish(
        project=project,
        budget=budget,
        facts=facts,
        elsewhere=elsewhere_of(target, kb.config.export.targets, memories),
        dialect=exporter.dialect,
    )
    cost = partial(cost_of, exporter)
    selection = choose(memories, wish, cost)
    near = [one for one in selection.left_out if _concerns(one, project)]
    return Told(
        project=project,
        target=target,
        file=kb.config.export.file if target == "claude-md" else exporter.file,
        text=_text(exporter, selection),
        tokens=cost(selection),
        budget=budget,
        memories=tuple(ToldMemory(item.memory.id, item.tokens) for item in selection.items),
        left_out=tuple(
            ToldMemory(one.item.memory.id, one.item.tokens, one.reason, one.room)
            for one in near[:LEFT_OUT_SHOWN]
        ),
        elsewhere=len(selection.left_out) - len(near),
    )


def _concerns(one: LeftOut, project: str) -> bool:
    return one.item.memory.scope.casefold() in (GLOBAL_SCOPE, project.casefold())


def _text(exporter: Exporter, selection: Selection) -> str:
    """Return the files one after another, without the comments that say where each line is from."""
    outputs = exporter.render(selection)
    return "\n\n".join(without_comments(one.front + one.body).strip() for one in outputs)
