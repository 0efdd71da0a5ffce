"""Proposals compared with what the project's own instruction files say already."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from calmkb.errors import ExportError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import current_project
from calmkb.kb.instructions.files import HandwrittenMatch, InstructionFile
from calmkb.kb.instructions.handwritten import handwritten_matches, instructions_of, quoted
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.search.methods import method_of
from calmkb.model import Proposal
from calmkb.reflect.opposites.safeguards import rule_broken
from calmkb.reflect.proposals.propose import Proposals

ALREADY = "already in "
"""How the reason begins that a proposal is held back for, where a file says it."""


def with_files(kb: KnowledgeBase, made: Proposals, _: Contents, *, everything: bool) -> Proposals:
    """Return the proposals without those that an instruction file says.

    Opposites of what a file says are noted.

    With `everything` the former stay open, with the reason. What contradicts a memory stays open in
    any case: a person must see that conflict.
    """
    try:
        is_ours = _is_ours(kb)
    except ExportError:  # a bare repository: there are no files
        return made
    asked = [one for one in made.open if is_ours(one.scope)]
    files = tuple(instructions_of(kb)) if asked else ()
    matches = handwritten_matches([one.text for one in asked], files, partial(method_of, kb))
    found = {one.id: match for one, match in zip(asked, matches, strict=True) if match}
    ours = {one.id for one in asked}
    compared = [
        _unsafe(_compared(one, found.get(one.id)), files if one.id in ours else ())
        for one in made.open
    ]
    back = {one.id for one in compared if one.held.startswith(ALREADY) and not everything}
    return replace(
        made,
        open=tuple(one for one in compared if one.id not in back),
        held=(*made.held, *(one for one in compared if one.id in back)),
    )


def _unsafe(proposal: Proposal, files: Iterable[InstructionFile]) -> Proposal:
    """Return the proposal with the line of a file that asks for the check that it bypasses."""
    for file in files:
        rule = rule_broken(proposal.text, file.text.splitlines())
        if rule and not proposal.contradicts:
            words = f": {quoted(rule)}" if file.quotable else ""
            return replace(proposal, contradicts=f"{file.place}: line {file.line_of(rule)}{words}")
    return proposal


def _compared(proposal: Proposal, match: HandwrittenMatch | None) -> Proposal:
    if match is None or not match.near:
        return proposal
    if match.opposite:
        return replace(proposal, contradicts=": ".join(filter(None, [match.where, match.words])))
    if proposal.verdict.kind == "conflict":
        return proposal
    return replace(proposal, held=f"{ALREADY}{match.where}")


def _is_ours(kb: KnowledgeBase) -> Callable[[str], bool]:
    """Return whether the files of the project that one works in speak for a scope.

    A journal in its repository is of that project alone; any other may hold several projects.
    """
    if kb.agent_folder == kb.root:
        return lambda scope: True
    project = current_project(kb, kb.agent_folder)
    return lambda scope: scope == project
