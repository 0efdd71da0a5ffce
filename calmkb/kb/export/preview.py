"""Digests as the site and the statistics show them: by the records alone, on every machine alike.

What people wrote by hand on this machine is not looked at.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from calmkb.export.base import Exporter
from calmkb.export.choice import Selection, SelectionRequest, choose
from calmkb.export.targets.table import EXPORTERS
from calmkb.export.tokens import without_comments
from calmkb.kb.export.digests import DigestSource, cost_of, elsewhere_of
from calmkb.model import GLOBAL_SCOPE, UNKNOWN_SCOPE, DigestPreview, Memory, PreviewedMemory

MOST_PROJECTS = 30
LEFT_OUT_SHOWN = 100


def digest_previews(source: DigestSource) -> tuple[DigestPreview, ...]:
    """Return what agents in the knowledge base's own project read, target by target.

    Then what those in other projects read of the first target: projects that memories of their
    own hold for, those of most memories first, 30 at most.
    """
    own = own_previews(source)
    others = _projects(source.memories, own[0].project)
    return (*own, *(_preview(source, own[0].target, project) for project in others))


def own_previews(source: DigestSource) -> tuple[DigestPreview, ...]:
    """Return what agents in the knowledge base's own project read, target by target."""
    targets = [name for name in EXPORTERS if name in source.settings.targets] or ["claude-md"]
    project = source.project or source.folder.name
    return tuple(_preview(source, target, project) for target in targets)


def _projects(memories: Sequence[Memory], own: str) -> Iterator[str]:
    """Yield each project once: scopes that differ in case alone are one."""
    counts = Counter(memory.scope for memory in memories)
    seen = {GLOBAL_SCOPE, UNKNOWN_SCOPE, own.casefold()}
    for scope, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if scope.casefold() not in seen and len(seen) < MOST_PROJECTS + 3:
            seen.add(scope.casefold())
            yield scope


def _preview(source: DigestSource, target: str, project: str) -> DigestPreview:
    exporter, budget = EXPORTERS[target], source.budget_for(target)
    request = SelectionRequest(
        project=project,
        budget=budget,
        facts=source.facts,
        elsewhere=elsewhere_of(target, source.settings.targets, source.memories),
        dialect=exporter.dialect,
    )
    cost = partial(cost_of, exporter)
    selection = choose(source.memories, request, cost)
    scopes = (GLOBAL_SCOPE, UNKNOWN_SCOPE, project.casefold())
    near = [one for one in selection.left_out if one.item.memory.scope.casefold() in scopes]
    return DigestPreview(
        project=project,
        target=target,
        file=source.settings.file if target == "claude-md" else exporter.file,
        text=_text(exporter, selection),
        tokens=cost(selection),
        budget=budget,
        memories=tuple(PreviewedMemory(item.memory.id, item.tokens) for item in selection.items),
        left_out=tuple(
            PreviewedMemory(one.item.memory.id, one.item.tokens, one.reason, one.room)
            for one in near[:LEFT_OUT_SHOWN]
        ),
        elsewhere=len(selection.left_out) - len(near),
    )


def _text(exporter: Exporter, selection: Selection) -> str:
    """Return the files one after another, without the comments that say where each line is from."""
    outputs = exporter.render(selection)
    return "\n\n".join(without_comments(one.front + one.body).strip() for one in outputs)
