"""The pages of memories: each one, lists by category and by scope, the reflections they came of."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from calmkb.model import CONFIDENCES, GLOBAL_SCOPE, Doubt, Evidence, Memory, Reflection
from calmkb.model.words import counted
from calmkb.wings.site.content.addresses import category_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.friction import Friction
from calmkb.wings.site.content.grouping import grouped, inverted
from calmkb.wings.site.pages.page import Page, leaves
from calmkb.wings.site.pages.proof import proof_pages, proofs
from calmkb.wings.site.pages.to_do import DOUBTS
from calmkb.wings.site.text.titles import memory_title
from calmkb.wings.site.text.words import CATEGORY_TITLES, day

COVERED_SHOWN = 200
CATEGORY_SHOWN = 4
CATEGORY_A_PAGE = 50
SCOPED_SHOWN = 60
SCOPES_A_PAGE = 8
REFLECTIONS_A_PAGE = 80
DOUBTS_A_PAGE = 40


def memory_pages(catalogue: Catalogue, friction: Friction) -> Iterator[Page]:
    """Yield the lists of memories, then a page for each."""
    shown = {"shown": CATEGORY_SHOWN, "proved": bool(proofs(catalogue))}
    yield Page(
        "memories/index.md", "memories", shown, shows_all=True, title="Memories", nav="Memories"
    )
    for uri, leaf, listed in leaves(DOUBTS, catalogue.doubts, DOUBTS_A_PAGE):
        told = {"doubts": list(listed), "leaf": leaf, "number": len(catalogue.doubts)}
        yield Page(uri, "doubts", told, title="Memories to look at again")
    yield from proof_pages(catalogue)
    yield from _by_scope(catalogue)
    for category, records in catalogue.categories.items():
        for uri, leaf, some in leaves(category_uri(category), records, CATEGORY_A_PAGE):
            values: dict[str, Any] = {"category": category, "memories": list(some)}
            values |= {"number": len(records), "leaf": leaf}
            yield Page(uri, "category", values, title=CATEGORY_TITLES[category])
    doubts = _doubts_of(catalogue)
    merging = inverted(catalogue.reflections, lambda reflection: reflection.merged)
    for memory in catalogue.memories:
        merged_by = merging.get(memory.id, [])
        values = _told_of(catalogue, memory, merged_by)
        values["doubts"] = doubts.get(memory.id, ())
        values |= _met_again(catalogue, memory)
        values["themes"] = friction.answered_by.get(memory.id, ())
        place = "every project" if memory.scope == GLOBAL_SCOPE else memory.scope
        yield Page(
            catalogue.addresses[memory.id],
            "memory",
            values,
            title=memory_title(memory.text, 110),
            statement=memory.text,
            search=(
                *(memory.text, memory.why, *memory.tags),
                *(evidence.quote for evidence in memory.evidence),
                *(section.text for section in memory.sections),
            ),
            about=f"Memory ({memory.category}), applies to {place}. {memory.why or memory.text}",
            file=catalogue.source.files.get(memory.id, ""),
            tags=("Memory", *([] if memory.scope == GLOBAL_SCOPE else [memory.scope])),
        )


def _met_again(catalogue: Catalogue, memory: Memory) -> dict[str, Any]:
    """Return which sessions met what a memory is about, and the quotes that it does not cite."""
    found = catalogue.source.backtests.get(memory.id)
    if found is None:
        return {"backtest": None, "met_again": (), "met_at": ()}
    cited = {evidence.source for evidence in memory.evidence}
    met, views = [*found.met, *found.met_since], catalogue.entry_by_id
    quotes = [
        Evidence(
            date=one.date, source=one.session, quote=one.quote,
            project=view.entry.project_name if (view := views.get(one.session)) else "",
        )
        for one in met
        if one.session not in cited
    ]  # fmt: skip
    # A quote names its session alone: where that stands is part of the page as well.
    at = catalogue.places_of(quotes)
    return {"backtest": found, "met_again": quotes, "met_at": at}


def _doubts_of(catalogue: Catalogue) -> dict[str, list[tuple[Memory | None, Doubt]]]:
    """Return by memory id the doubts on it, and those it gives to others, with the other memory.

    Without those on a memory that was replaced: its page says so.
    """
    found: dict[str, list[tuple[Memory | None, Doubt]]] = {}
    for memory, doubt in catalogue.doubts:
        other = catalogue.memory_by_id.get(doubt.other)
        if other and other.supersedes == memory.id:
            continue
        found.setdefault(memory.id, []).append((other, doubt))
        if other:
            found.setdefault(other.id, []).append((memory, doubt))
    return found


def reflection_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the list of reflections, then a page for each."""
    listed = catalogue.reflections
    for uri, leaf, some in leaves("reflections/index.md", listed, REFLECTIONS_A_PAGE):
        values: dict[str, Any] = {"reflections": list(some), "leaf": leaf, "number": len(listed)}
        nav = "" if leaf.earlier else "Reflections"
        yield Page(uri, "reflections", values, title="Reflections", nav=nav)
    for reflection in catalogue.reflections:
        views = ((name, catalogue.entry_by_id.get(name)) for name in reflection.entries)
        covered = [(name, view and view.entry) for name, view in views]
        covered.sort(key=lambda one: one[1].created_at.isoformat() if one[1] else "", reverse=True)
        values = {
            "reflection": reflection,
            "kept": _known(catalogue, reflection.memories),
            "merged": _known(catalogue, reflection.merged),
            "covered": covered[:COVERED_SHOWN],
            "left_out": max(0, len(covered) - COVERED_SHOWN),
        }
        yield Page(
            catalogue.addresses[reflection.id],
            "reflection",
            values,
            title=f"Reflection of {day(reflection.created_at)}",
            search=tuple(f"{one.text} {one.reason}" for one in reflection.rejected),
            file=catalogue.source.files.get(reflection.id, ""),
            tags=("Reflection",),
            about=f"{counted(len(reflection.memories), 'memory', 'memories')} kept and "
            f"{len(reflection.rejected)} rejected of {counted(len(covered), 'session')}.",
        )


def _known(catalogue: Catalogue, names: tuple[str, ...]) -> list[Memory]:
    found = (catalogue.memory_by_id.get(name) for name in dict.fromkeys(names))
    return [memory for memory in found if memory]


def _told_of(catalogue: Catalogue, memory: Memory, merged_by: list[Reflection]) -> dict[str, Any]:
    quoted = {evidence.source for evidence in memory.evidence}
    others = [source for source in memory.sources if source not in quoted]
    known = catalogue.entry_by_id
    return {
        "memory": memory,
        "others": [known[source].entry for source in others if source in known],
        "feedback": catalogue.source.feedback.get(memory.id),
        "approval": catalogue.source.approvals.get(memory.id),
        "anchors": catalogue.source.anchors.get(memory.id, ()),
        "successors": catalogue.successors.get(memory.id, ()),
        "supersedes": catalogue.memory_by_id.get(memory.supersedes),
        "took_in": [(name, catalogue.memory_by_id.get(name)) for name in memory.merged],
        "reflections": catalogue.reflections_by_memory.get(memory.id, ()),
        "merged_by": merged_by,
    }


def _by_scope(catalogue: Catalogue) -> Iterator[Page]:
    """What holds everywhere first, then the scopes of most memories; the surest first in each."""
    groups = grouped(catalogue.memories, lambda memory: memory.scope)
    ordered = sorted(groups, key=lambda scope: (scope != GLOBAL_SCOPE, -len(groups[scope]), scope))
    for uri, leaf, some in leaves("memories/by-scope/index.md", ordered, SCOPES_A_PAGE):
        scopes = [
            (*_scope(scope, groups[scope], SCOPED_SHOWN), catalogue.project_uris.get(scope))
            for scope in some
        ]
        yield Page(uri, "scopes", {"scopes": scopes, "leaf": leaf}, title="Memories by scope")


def _scope(scope: str, memories: list[Memory], limit: int) -> tuple[Any, ...]:
    """Return the scope, counts by confidence, the surest memories, and how many more it has."""
    counts = Counter(memory.confidence for memory in memories)
    surest = sorted(memories, key=lambda memory: -CONFIDENCES.index(memory.confidence))
    return (
        scope,
        [(word, counts[word]) for word in reversed(CONFIDENCES) if counts[word]],
        surest[:limit],
        max(0, len(memories) - limit),
    )
